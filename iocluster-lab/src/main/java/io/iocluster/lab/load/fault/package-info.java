/** What an experiment breaks on purpose, on schedule, and how each fault is undone however the run ends. */
package io.iocluster.lab.load.fault;

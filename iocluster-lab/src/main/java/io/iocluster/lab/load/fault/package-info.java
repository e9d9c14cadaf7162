/** What an experiment breaks on purpose, on schedule, and how each fault is undone in every ending of a run. */
package io.iocluster.lab.load.fault;

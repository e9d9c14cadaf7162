/**
 * What an experiment breaks on purpose, on schedule, and how each fault is undone however the run ends. A new action is a
 * {@code FaultAction}.
 */
package io.iocluster.lab.load.fault;

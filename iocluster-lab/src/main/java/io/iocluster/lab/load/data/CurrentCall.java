package io.iocluster.lab.load.data;

/**
 * The call that is being created.
 *
 * @param number of the call in its run, over all agents
 * @param id unique in the run
 * @param rows the row of each feeder, by its index; only those that the template uses are set
 */
record CurrentCall(long number, String id, long[] rows) {}

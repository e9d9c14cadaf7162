package io.iocluster.transport.cluster;

/**
 * A snapshot of a channel's state. Counts are since the start.
 *
 * @param problem why records cannot be sent or received, human-readable; null if they can, as far as known
 * @param announced number of records that were sent
 * @param failed number of records that could not be sent
 * @param dropped number of records that were received and not delivered, because they were too large or too many
 */
public record ClusterChannelStatus(String problem, long announced, long failed, long dropped) {}

package io.iocluster.transport;

import java.util.List;
import java.util.Set;

/**
 * A source as it stands.
 *
 * @param connected whether the broker answered lately; what {@code /readyz} reports
 * @param problem why it is not connected, for people; null if it is
 * @param pauseReasons why the source reads nothing, or less than it could; empty if it reads freely
 * @param buffered how many messages were read and wait for a place
 * @param lags one for each queue or partition that this source reads now and whose length the broker has said at least once
 * @param duplicateSettlements how many settlements were called a second time since the start
 * @param redelivered how many messages were known to be repeats, or were read again after a release, since the start
 * @param unreadableCommitMetadata commits since the start whose metadata another program wrote; the node ignored it
 * @param truncatedCommitMetadata offset commits with truncated metadata since the start, because the broker's limit is too small: after
 *     a crash calls above them are repeated
 */
public record SourceStatus(
        boolean connected,
        String problem,
        Set<PauseReason> pauseReasons,
        int buffered,
        List<Lag> lags,
        long duplicateSettlements,
        long redelivered,
        long unreadableCommitMetadata,
        long truncatedCommitMetadata) {

    /** A source on a broker that keeps no notes beside its positions. */
    public SourceStatus(
            boolean connected,
            String problem,
            Set<PauseReason> pauseReasons,
            int buffered,
            List<Lag> lags,
            long duplicateSettlements,
            long redelivered) {
        this(connected, problem, pauseReasons, buffered, lags, duplicateSettlements, redelivered, 0, 0);
    }

    public SourceStatus {
        pauseReasons = Set.copyOf(pauseReasons);
        lags = List.copyOf(lags);
    }

    /** How many messages are not yet settled, in all queues and partitions together. */
    public long messages() {
        return lags.stream().mapToLong(Lag::messages).sum();
    }

    /**
     * How far behind one queue or partition is.
     *
     * @param queue the topic's or queue's name
     * @param partition the partition's number, or null where the broker has none
     * @param messages how many are not yet settled: the true backlog, which completions above a gap reduce
     * @param heldByOtherConsumers how many of them other consumers hold now, 0 if there are none or the broker does not say
     * @param oldestAgeMillis the age of the oldest message not yet settled, in milliseconds, 0 if there is none
     * @param openTransactionMillis how long an open transaction has held the partition back, in milliseconds, 0 if none does
     * @param stale whether the broker could not be asked lately, so that the figures are the last known ones
     */
    public record Lag(
            String queue,
            Integer partition,
            long messages,
            long heldByOtherConsumers,
            long oldestAgeMillis,
            long openTransactionMillis,
            boolean stale) {

        /** That of a queue or partition that no transaction holds back. */
        public Lag(
                String queue,
                Integer partition,
                long messages,
                long heldByOtherConsumers,
                long oldestAgeMillis,
                boolean stale) {
            this(queue, partition, messages, heldByOtherConsumers, oldestAgeMillis, 0, stale);
        }

        /** That of a queue or partition of which no other consumer is known to hold messages. */
        public Lag(String queue, Integer partition, long messages, long oldestAgeMillis, boolean stale) {
            this(queue, partition, messages, 0, oldestAgeMillis, stale);
        }
    }
}

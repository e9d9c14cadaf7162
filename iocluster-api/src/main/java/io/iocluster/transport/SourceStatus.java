package io.iocluster.transport;

import io.iocluster.status.StatusField;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * A snapshot of a source's state. Counts are since the start.
 *
 * @param connected whether the broker answered recently; {@code /readyz} reports it
 * @param pauseReasons empty if the source reads freely
 * @param lags one for each queue or partition that this source reads and whose length the broker has reported
 * @param duplicateSettlements number of second calls of a settlement
 * @param redelivered number of messages that were known redeliveries or were read again after a release
 * @param unreadableCommitMetadata number of committed offsets whose metadata another program wrote; it is ignored
 * @param truncatedCommitMetadata after a crash, completed messages beyond the truncation are redelivered
 * @param unansweredMillis how long the broker has not answered the query of the lag that is under way; 0 if none is
 */
public record SourceStatus(
        @StatusField(doc = "whether the broker answers") boolean connected,

        @StatusField(nullable = true, doc = "the reason if not")
        String problem,

        Set<PauseReason> pauseReasons,

        @StatusField(doc = "messages that were fetched and not yet started")
        int buffered,

        @StatusField List<Lag> lags,
        long duplicateSettlements,
        @StatusField long redelivered,
        @StatusField long unreadableCommitMetadata,

        @StatusField(doc = "offset commits with truncated metadata, because the broker's limit is too small")
        long truncatedCommitMetadata,

        @StatusField(
                doc =
                        "messages whose acknowledgement the broker of a share group refused, so that it delivers them again")
        long failedAcknowledgements,

        long unansweredMillis) {

    /** Creates the status of a source whose broker has no commit metadata and answers at once. */
    public SourceStatus(
            boolean connected,
            String problem,
            Set<PauseReason> pauseReasons,
            int buffered,
            List<Lag> lags,
            long duplicateSettlements,
            long redelivered) {
        this(connected, problem, pauseReasons, buffered, lags, duplicateSettlements, redelivered, 0, 0, 0, 0);
    }

    public SourceStatus {
        pauseReasons = Set.copyOf(pauseReasons);
        lags = List.copyOf(lags);
    }

    @StatusField(
            name = "pauseReasons",
            doc = "why the node reads nothing, or less than it could: `operator`, `backpressure`, `drain`, `backoff`,"
                    + " `uncommitted-limit`, `buffer-full`, `broker-blocked`")
    List<String> pauseReasonNames() {
        return pauseReasons.stream().map(PauseReason::wireName).sorted().toList();
    }

    // Without a lag report, the lag is unknown and not 0.
    @StatusField(nullable = true, doc = "unsettled messages of all queues; null if unknown")
    Long lag() {
        return lags.isEmpty() ? null : (Long) messages();
    }

    @StatusField(nullable = true, doc = "age of the oldest unsettled message; null if the lag is unknown")
    Long oldestAgeMillis() {
        return lags.isEmpty()
                ? null
                : (Long) lags.stream().mapToLong(Lag::oldestAgeMillis).max().orElse(0);
    }

    /** Returns the number of unsettled messages in all queues and partitions. */
    public long messages() {
        return lags.stream().mapToLong(Lag::messages).sum();
    }

    /**
     * The lag of one queue or partition.
     *
     * @param queue the topic's or queue's name
     * @param partition the partition's number; null if all nodes read the whole queue
     * @param messages number of unsettled messages; completions above a gap in the offsets reduce it
     * @param oldestAgeMillis the age of the oldest unsettled message, in milliseconds, 0 if there is none. Between 0 and
     *     {@link #MAX_AGE}, because producers choose timestamps
     * @param openTransactionMillis how long an open transaction has blocked the partition, in milliseconds, 0 if none
     *     does
     * @param stale whether these are older figures because the broker could not be asked recently
     */
    public record Lag(
            @StatusField String queue,
            @StatusField(nullable = true) Integer partition,
            @StatusField long messages,

            @StatusField(doc = "number of them that other nodes hold, if the broker reports it")
            long heldByOtherConsumers,

            @StatusField long oldestAgeMillis,
            long openTransactionMillis,

            @StatusField(doc = "whether this is the last known value, because the broker does not answer")
            boolean stale) {

        /**
         * The largest age that is reported: the default retention of Kafka's topics. Without this limit, one message with a wrong
         * timestamp, such as 0 for 1970, would hide all other ages in a chart.
         */
        public static final Duration MAX_AGE = Duration.ofDays(7);

        public Lag {
            oldestAgeMillis = Math.max(0, Math.min(MAX_AGE.toMillis(), oldestAgeMillis));
        }

        /** Creates the lag of a queue or partition without an open transaction. */
        public Lag(
                String queue,
                Integer partition,
                long messages,
                long heldByOtherConsumers,
                long oldestAgeMillis,
                boolean stale) {
            this(queue, partition, messages, heldByOtherConsumers, oldestAgeMillis, 0, stale);
        }

        /** Creates the lag of a queue or partition whose messages no other consumer holds, as far as known. */
        public Lag(String queue, Integer partition, long messages, long oldestAgeMillis, boolean stale) {
            this(queue, partition, messages, 0, oldestAgeMillis, stale);
        }
    }
}

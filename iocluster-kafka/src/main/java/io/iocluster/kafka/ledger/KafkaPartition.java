package io.iocluster.kafka.ledger;

import io.iocluster.kafka.ledger.OffsetLedger.TrackResult;
import java.util.ArrayDeque;
import java.util.random.RandomGenerator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * One partition during one assignment: its ledger, buffered records and deliveries in flight. Confined to the poll
 * thread, except {@link #end}, {@link #ends} and {@link #openTransactionSince}. Each assignment has its own instance: settlements
 * after {@link #close} change no position.
 */
public final class KafkaPartition {

    private final TopicPartition id;
    private final KeyLanes lanes;
    private final int span;
    private final ArrayDeque<OffsetDelivery> buffer = new ArrayDeque<>();
    private final ArrayDeque<OffsetDelivery> ready = new ArrayDeque<>();
    private final InFlightDeliveries inFlight = new InFlightDeliveries();
    private final ReleasedRecords released;

    private ClusterTopicId topicId;
    private int initialPartitions;
    private OffsetLedger ledger;
    private int buffered;
    private long bufferedBytes;
    private int waitingForKey;
    private long waitingForKeyBytes;
    private boolean closed;
    private boolean spanFull;
    private boolean metadataFull;
    /** The watermark at which the consumer could not advance because the ledger was full; negative if it never was. */
    private long fullAt = -1;

    /** Whether it is paused because too many of its bytes wait for calls of the same key. */
    public boolean lanesFull;

    /** Whether the consumer has paused it. */
    public boolean paused;

    /** Whether there is a new position or new metadata to commit. */
    public boolean dirty;

    /** Last known end offset; negative if unknown. Written by the end offset monitor. */
    public volatile long end = -1;

    /** The end offsets that bound the age of its records. */
    public final EndOffsetHistory ends = new EndOffsetHistory();

    /**
     * Monotonic nanoseconds since which an open transaction blocks it; 0 if none does. Written by the end offset
     * monitor.
     */
    public volatile long openTransactionSince;

    /**
     * Creates a newly assigned partition.
     *
     * @param lanes null if requests are not ordered by key
     * @param span see {@link OffsetLedger}
     */
    public KafkaPartition(TopicPartition id, KeyLanes lanes, int span, RandomGenerator random) {
        this.released = new ReleasedRecords(random);
        this.id = id;
        this.lanes = lanes;
        this.span = span;
    }

    public TopicPartition id() {
        return id;
    }

    /** Returns the topic that the offsets belong to; null if not known yet. */
    public ClusterTopicId topicId() {
        return topicId;
    }

    /**
     * Records that the committed offset was looked up, so that the partition can start.
     *
     * @param partitions see {@link #initialPartitions}
     */
    public void setTopicId(ClusterTopicId topic, int partitions) {
        topicId = topic;
        initialPartitions = partitions;
    }

    /**
     * Returns the number of partitions of the topic when the group started at its end; 0 if the group started at its
     * beginning, or if the number is not known.
     */
    public int initialPartitions() {
        return initialPartitions;
    }

    public boolean hasTopicId() {
        return topicId != null;
    }

    /** Starts at this offset. {@code runs} are the completed offsets above it, see {@link OffsetLedger#restore}. */
    public void start(long offset, int[] runs) {
        ledger = new OffsetLedger(offset, span);
        ledger.restore(runs);
    }

    public boolean isStarted() {
        return ledger != null;
    }

    public OffsetLedger ledger() {
        return ledger;
    }

    /**
     * Records that a record was read. If it is {@linkplain TrackResult#TRACKED tracked}, the caller {@link #buffer}s
     * it.
     */
    public TrackResult track(ConsumerRecord<byte[], byte[]> message) {
        long before = ledger.watermark();
        TrackResult result = ledger.track(message.offset());
        if (result == TrackResult.FULL) {
            fullAt = ledger.watermark();
        }
        dirty |= ledger.watermark() != before;
        return result;
    }

    /** Advances the position over offsets without records. Returns false if the ledger is full. */
    public boolean advanceTo(long next) {
        long before = ledger.watermark();
        boolean fits = ledger.skipTo(next);
        if (!fits) {
            fullAt = before;
        }
        dirty |= ledger.watermark() != before;
        return fits;
    }

    /** Adds a record to the buffer. */
    public void buffer(OffsetDelivery delivery) {
        buffer.add(delivery);
        buffered++;
        bufferedBytes += delivery.heldBytes();
    }

    /** Takes over a call that still runs from an earlier assignment. */
    public void adopt(OffsetDelivery running) {
        running.partition = this;
        inFlight.add(running);
    }

    /** Completes an offset that was settled in an earlier assignment and not committed. */
    public void markDone(long offset) {
        ledger.complete(offset);
        dirty = true;
    }

    /** Adds a delivery that now holds its lane. */
    void addReady(OffsetDelivery delivery) {
        ready.add(delivery);
    }

    /** Counts a delivery that waits in its lane. */
    void addWaitingForKey(OffsetDelivery delivery) {
        waitingForKey++;
        waitingForKeyBytes += delivery.heldBytes();
    }

    /** Stops counting a delivery that no longer waits in its lane. */
    void removeWaitingForKey(OffsetDelivery delivery) {
        waitingForKey--;
        waitingForKeyBytes -= delivery.heldBytes();
    }

    /** Returns the delivery to offer next, or null. */
    public OffsetDelivery nextToOffer(long now) {
        if (isBlocked()) {
            return null;
        }
        if (lanes == null) {
            return buffer.peek();
        }
        OffsetDelivery next = ready.peek();
        while (next == null) {
            next = buffer.peek();
            if (next == null) {
                return null;
            }
            switch (lanes.enter(next)) {
                case HOLDS_LANE -> {
                    buffer.poll();
                    ready.add(next);
                }
                case QUEUED -> {
                    buffer.poll();
                    next = null;
                }
                case BLOCKED -> {
                    buffer.poll();
                    unbuffer(next);
                    release(next, now);
                    next = null;
                }
            }
        }
        return next;
    }

    /** Marks the delivery from {@link #nextToOffer} as in flight. */
    public void markInFlight(OffsetDelivery delivery) {
        if (lanes == null) {
            buffer.poll();
        } else {
            ready.poll();
        }
        unbuffer(delivery);
        delivery.accepted = true;
        inFlight.add(delivery);
    }

    /** Applies a settlement. The partition must not be closed. */
    public void settle(OffsetDelivery delivery, long now) {
        inFlight.remove(delivery);
        if (delivery.isAcknowledged()) {
            ledger.complete(delivery.offset());
            dirty = true;
            if (lanes != null) {
                lanes.leave(delivery);
            }
        } else {
            release(delivery, now);
            if (lanes != null) {
                lanes.block(delivery);
            }
        }
    }

    private void release(OffsetDelivery delivery, long now) {
        ledger.release(delivery.offset());
        released.add(delivery.timestampMillis(), now);
    }

    /**
     * Returns whether the consumer's position matches the ledger's; false if the ledger was full, so that the consumer
     * had to seek back.
     */
    public boolean isAtExpectedPosition() {
        return fullAt != ledger.watermark();
    }

    /** Returns whether released records wait to be read again. */
    public boolean isRetrying() {
        return !released.isEmpty();
    }

    public boolean isRetryDue(long now) {
        return released.isRetryDue(now);
    }

    /** Goes back to the lowest released offset. Returns the offset that the consumer must seek to. */
    public long rewind() {
        if (lanes != null) {
            dropBuffered();
        }
        released.clear();
        return ledger.rewind();
    }

    private void dropBuffered() {
        ready.forEach(delivery -> ledger.release(delivery.offset()));
        buffer.forEach(delivery -> ledger.release(delivery.offset()));
        ready.clear();
        buffer.clear();
        if (lanes != null) {
            lanes.reopen(this);
        }
        buffered = 0;
        bufferedBytes = 0;
        waitingForKey = 0;
        waitingForKeyBytes = 0;
    }

    /** Drops all buffered records. */
    void stop() {
        if (ledger != null) {
            dropBuffered();
        }
    }

    /** Drops buffered records and calls that have not started, because another node will read the partition. */
    public void revoke() {
        stop();
        inFlight.removeIf(this::withdraw);
    }

    private boolean withdraw(OffsetDelivery delivery) {
        if (!delivery.withdraw()) {
            return false;
        }
        ledger.release(delivery.offset());
        if (lanes != null) {
            lanes.leave(delivery);
        }
        return true;
    }

    /** Ends the assignment. */
    public void close() {
        stop();
        closed = true;
    }

    public boolean isClosed() {
        return closed;
    }

    /** Returns whether no record is offered until released records are read again. */
    public boolean isBlocked() {
        return released.isBlocking();
    }

    /** Returns whether reading must wait until the watermark advances. */
    public boolean isLedgerFull() {
        if (ledger == null) {
            return false;
        }
        spanFull = ledger.fullness() > (spanFull ? 0.75 : 0.9);
        return spanFull || metadataFull || fullAt == ledger.watermark();
    }

    /** Records the length of the metadata of the last commit. */
    void recordMetadataLength(int characters) {
        int threshold = CommitMetadata.PAUSE_CHARACTERS;
        metadataFull = characters > (metadataFull ? threshold * 3 / 4 : threshold);
    }

    /** Returns how many records are buffered. */
    public int buffered() {
        return buffered;
    }

    public long bufferedBytes() {
        return bufferedBytes;
    }

    /** Returns how many of the buffered records do not wait for a call of the same key. */
    public int bufferedWithFreeKey() {
        return buffered - waitingForKey;
    }

    /** Returns the bytes of the buffered records that wait for a call of the same key. */
    public long waitingForKeyBytes() {
        return waitingForKeyBytes;
    }

    public InFlightDeliveries inFlight() {
        return inFlight;
    }

    /** Returns how many messages are not settled, as far as is known. */
    public long backlog() {
        return ledger == null
                ? 0
                : Math.max(0, Math.max(end, ledger.frontier()) - ledger.watermark() - ledger.completedAboveWatermark());
    }

    /** Returns the timestamp of the oldest unsettled record that was read; {@link Long#MAX_VALUE} if there is none. */
    public long oldestTimestamp() {
        long oldest = released.oldestTimestamp();
        if (inFlight.first() != null) {
            oldest = Math.min(oldest, inFlight.first().timestampMillis());
        }
        OffsetDelivery waiting = ready.isEmpty() ? buffer.peek() : ready.peek();
        return waiting == null ? oldest : Math.min(oldest, waiting.timestampMillis());
    }

    private void unbuffer(OffsetDelivery delivery) {
        buffered--;
        bufferedBytes -= delivery.heldBytes();
    }

    @Override
    public String toString() {
        return id.toString();
    }
}

package io.iocluster.kafka.ledger;

import io.iocluster.kafka.ledger.OffsetLedger.TrackResult;
import io.iocluster.transport.outage.Backoff;
import java.time.Duration;
import java.util.ArrayDeque;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * One partition during one assignment: its ledger, what was read and waits, and what is in flight. Confined to the poll
 * thread but for {@link #end}. The object itself is the assignment's epoch: what is settled after it was closed changes no
 * position.
 */
public final class KafkaPartition {

    /** So many released at once mean more than one bad message: the whole partition waits. */
    private static final int MANY_RELEASED = 16;

    private static final long CALM_NANOS = Duration.ofSeconds(30).toNanos();

    private final TopicPartition id;
    private final KeyLanes lanes;
    private final int span;
    private final ArrayDeque<KafkaDelivery> buffer = new ArrayDeque<>();
    private final ArrayDeque<KafkaDelivery> ready = new ArrayDeque<>();
    private final InFlightDeliveries inFlight = new InFlightDeliveries();
    private final Backoff backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10));

    private ClusterTopicId log;
    private int startedWith;
    private OffsetLedger ledger;
    private int buffered;
    private long bufferedBytes;
    private int parked;
    private long parkedBytes;
    private boolean closed;
    private boolean spanFull;
    private boolean mapFull;
    private long gapAt = -1;
    private int released;
    private boolean retrying;
    private long retryAt;
    private long lastReleased;
    private long releasedTimestamp = Long.MAX_VALUE;

    /** Whether its records that wait for a call of the same key take so much of the buffer that it is paused. */
    public boolean lanesFull;

    /** Whether the consumer was told to pause it. */
    public boolean paused;

    /** Whether there is something to commit. */
    public boolean dirty;

    /** The log's end as the broker said last, negative if it has not; written by the monitor. */
    public volatile long end = -1;

    /** Since when an open transaction holds it back, by {@link System#nanoTime}; 0 if none does. Written by the monitor. */
    public volatile long openTransactionSince;

    /**
     * A partition just assigned.
     *
     * @param lanes null where keys do not matter
     */
    public KafkaPartition(TopicPartition id, KeyLanes lanes, int span) {
        this.id = id;
        this.lanes = lanes;
        this.span = span;
    }

    public TopicPartition id() {
        return id;
    }

    /** Whose offsets these are; null before it is known. */
    public ClusterTopicId topicId() {
        return log;
    }

    /**
     * Records that its committed position was looked up, so that it can begin.
     *
     * @param partitions see {@link #startedWith}
     */
    public void setTopicId(ClusterTopicId which, int partitions) {
        log = which;
        startedWith = partitions;
    }

    /**
     * Returns how many partitions the topic had when the group started to read it at its end; 0 if the group started at its
     * beginning, or if the number is not known.
     */
    public int initialPartitions() {
        return startedWith;
    }

    public boolean hasTopicId() {
        return log != null;
    }

    /** Begins at this offset, above which these runs are done. */
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

    /** Notes a record that was read; one that is {@linkplain TrackResult#TRACKED admitted} is then {@link #buffer}ed. */
    public TrackResult track(ConsumerRecord<byte[], byte[]> message) {
        long before = ledger.watermark();
        TrackResult admission = ledger.track(message.offset());
        if (admission == TrackResult.FULL) {
            gapAt = ledger.watermark();
        }
        dirty |= ledger.watermark() != before;
        return admission;
    }

    /** Notes that reading has gone on to this offset. */
    public boolean advanceTo(long next) {
        long before = ledger.watermark();
        boolean fits = ledger.skipTo(next);
        if (!fits) {
            gapAt = before;
        }
        dirty |= ledger.watermark() != before;
        return fits;
    }

    public void buffer(KafkaDelivery delivery) {
        buffer.add(delivery);
        buffered++;
        bufferedBytes += delivery.heldBytes();
    }

    /** A call that still runs from an earlier assignment is this partition's now. */
    public void adopt(KafkaDelivery running) {
        running.partition = this;
        inFlight.add(running);
    }

    /** What was done in an earlier assignment and could not be committed. */
    public void markDone(long offset) {
        ledger.complete(offset);
        dirty = true;
    }

    /** It waited in its lane and holds it now. */
    void addReady(KafkaDelivery delivery) {
        ready.add(delivery);
    }

    /** It waits in its lane from now on. */
    void parked(KafkaDelivery delivery) {
        parked++;
        parkedBytes += delivery.heldBytes();
    }

    /** It does not wait in its lane any more. */
    void unparked(KafkaDelivery delivery) {
        parked--;
        parkedBytes -= delivery.heldBytes();
    }

    /** The delivery to be handed over next, or null. */
    public KafkaDelivery nextToOffer(long now) {
        if (isBlocked()) {
            return null;
        }
        if (lanes == null) {
            return buffer.peek();
        }
        KafkaDelivery next = ready.peek();
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
                    giveBack(next, now);
                    next = null;
                }
            }
        }
        return next;
    }

    /** The one that was {@link #nextToOffer} is in flight. */
    public void markInFlight(KafkaDelivery delivery) {
        if (lanes == null) {
            buffer.poll();
        } else {
            ready.poll();
        }
        unbuffer(delivery);
        delivery.handedOver = true;
        inFlight.add(delivery);
    }

    /** Takes a settlement into account; the partition is not closed. */
    public void settle(KafkaDelivery delivery, long now) {
        inFlight.remove(delivery);
        if (delivery.isAcknowledged()) {
            ledger.complete(delivery.offset());
            dirty = true;
            if (lanes != null) {
                lanes.leave(delivery);
            }
        } else {
            giveBack(delivery, now);
            if (lanes != null) {
                lanes.block(delivery);
            }
        }
    }

    private void giveBack(KafkaDelivery delivery, long now) {
        ledger.release(delivery.offset());
        released++;
        releasedTimestamp = Math.min(releasedTimestamp, delivery.timestampMillis());
        if (!retrying) {
            if (now - lastReleased > CALM_NANOS) {
                backoff.reset();
            }
            retrying = true;
            retryAt = now + backoff.nextDelayNanos();
        }
        lastReleased = now;
    }

    /** Whether what the consumer reads next is what the ledger expects next: it was not sent back in this round. */
    public boolean isAtExpectedPosition() {
        return gapAt != ledger.watermark();
    }

    public boolean isRetrying() {
        return retrying;
    }

    public boolean isRetryDue(long now) {
        return retrying && now - retryAt >= 0;
    }

    /** Turns back to the lowest offset that was released, which the consumer has to seek. */
    public long rewind() {
        if (lanes != null) {
            forgetBuffered();
        }
        retrying = false;
        released = 0;
        releasedTimestamp = Long.MAX_VALUE;
        return ledger.rewind();
    }

    private void forgetBuffered() {
        ready.forEach(delivery -> ledger.release(delivery.offset()));
        buffer.forEach(delivery -> ledger.release(delivery.offset()));
        ready.clear();
        buffer.clear();
        if (lanes != null) {
            lanes.reopen(this);
        }
        buffered = 0;
        bufferedBytes = 0;
        parked = 0;
        parkedBytes = 0;
    }

    /** Hands over nothing more; what was not handed over is forgotten. */
    void stop() {
        if (ledger != null) {
            forgetBuffered();
        }
    }

    /** Stops handing over records, because another node reads the partition now. Calls that have not started are dropped. */
    public void revoke() {
        stop();
        inFlight.removeIf(this::withdraw);
    }

    private boolean withdraw(KafkaDelivery delivery) {
        if (!delivery.withdraw()) {
            return false;
        }
        ledger.release(delivery.offset());
        if (lanes != null) {
            lanes.leave(delivery);
        }
        return true;
    }

    /** The assignment is over. */
    public void close() {
        stop();
        closed = true;
    }

    public boolean isClosed() {
        return closed;
    }

    /** Whether nothing of it is handed over until released messages are read again. */
    public boolean isBlocked() {
        return retrying && released >= MANY_RELEASED;
    }

    /** Whether reading has to wait for the watermark. */
    public boolean isLedgerFull() {
        if (ledger == null) {
            return false;
        }
        spanFull = ledger.fullness() > (spanFull ? 0.75 : 0.9);
        return spanFull || mapFull || gapAt == ledger.watermark();
    }

    /** Takes note of how long the text was that went into the last commit. */
    void recordMetadataLength(int characters) {
        mapFull = characters > (mapFull ? CommitMetadata.PAUSE_CHARACTERS * 3 / 4 : CommitMetadata.PAUSE_CHARACTERS);
    }

    public int buffered() {
        return buffered;
    }

    public long bufferedBytes() {
        return bufferedBytes;
    }

    /** Returns how many of the buffered records do not wait for a call of the same key. */
    public int bufferedFree() {
        return buffered - parked;
    }

    /** Returns the bytes of the buffered records that wait for a call of the same key. */
    public long parkedBytes() {
        return parkedBytes;
    }

    public InFlightDeliveries inFlight() {
        return inFlight;
    }

    /** How many messages are not settled, as far as is known. */
    public long backlog() {
        return ledger == null
                ? 0
                : Math.max(0, Math.max(end, ledger.frontier()) - ledger.watermark() - ledger.completedAboveWatermark());
    }

    /** The timestamp of the oldest message that was read and is not settled; {@link Long#MAX_VALUE} if there is none. */
    public long oldestTimestamp() {
        long oldest = releasedTimestamp;
        if (inFlight.first() != null) {
            oldest = Math.min(oldest, inFlight.first().timestampMillis());
        }
        KafkaDelivery waiting = ready.isEmpty() ? buffer.peek() : ready.peek();
        return waiting == null ? oldest : Math.min(oldest, waiting.timestampMillis());
    }

    private void unbuffer(KafkaDelivery delivery) {
        buffered--;
        bufferedBytes -= delivery.heldBytes();
    }

    @Override
    public String toString() {
        return id.toString();
    }
}

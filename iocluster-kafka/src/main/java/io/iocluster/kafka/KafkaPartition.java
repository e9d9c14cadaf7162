package io.iocluster.kafka;

import io.iocluster.kafka.OffsetLedger.Admission;
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
final class KafkaPartition {

    /** So many released at once mean more than one bad message: the whole partition waits. */
    private static final int MANY_RELEASED = 16;

    private static final long CALM_NANOS = Duration.ofSeconds(30).toNanos();

    private final TopicPartition id;
    private final KeyLanes lanes;
    private final int span;
    private final ArrayDeque<KafkaDelivery> buffer = new ArrayDeque<>();
    private final ArrayDeque<KafkaDelivery> ready = new ArrayDeque<>();
    private final InFlight inFlight = new InFlight();
    private final Backoff backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10));

    private LogId log;
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
    boolean lanesFull;

    /** Whether the consumer was told to pause it. */
    boolean paused;

    /** Whether there is something to commit. */
    boolean dirty;

    /** The log's end as the broker said last, negative if it has not; written by the monitor. */
    volatile long end = -1;

    /** Since when an open transaction holds it back, by {@link System#nanoTime}; 0 if none does. Written by the monitor. */
    volatile long openTransactionSince;

    /**
     * A partition just assigned.
     *
     * @param lanes null where keys do not matter
     */
    KafkaPartition(TopicPartition id, KeyLanes lanes, int span) {
        this.id = id;
        this.lanes = lanes;
        this.span = span;
    }

    TopicPartition id() {
        return id;
    }

    /** Whose offsets these are; null before it is known. */
    LogId log() {
        return log;
    }

    /**
     * Records that its committed position was looked up, so that it can begin.
     *
     * @param partitions see {@link #startedWith}
     */
    void found(LogId which, int partitions) {
        log = which;
        startedWith = partitions;
    }

    /**
     * Returns how many partitions the topic had when the group started to read it at its end; 0 if the group started at its
     * beginning, or if the number is not known.
     */
    int startedWith() {
        return startedWith;
    }

    boolean isFound() {
        return log != null;
    }

    /** Begins at this offset, above which these runs are done. */
    void begin(long offset, int[] runs) {
        ledger = new OffsetLedger(offset, span);
        ledger.restore(runs);
    }

    boolean hasBegun() {
        return ledger != null;
    }

    OffsetLedger ledger() {
        return ledger;
    }

    /** Notes a record that was read; one that is {@linkplain Admission#ADMITTED admitted} is then {@link #buffer}ed. */
    Admission admit(ConsumerRecord<byte[], byte[]> message) {
        long before = ledger.watermark();
        Admission admission = ledger.admit(message.offset());
        if (admission == Admission.FULL) {
            gapAt = ledger.watermark();
        }
        dirty |= ledger.watermark() != before;
        return admission;
    }

    /** Notes that reading has gone on to this offset. */
    boolean readTo(long next) {
        long before = ledger.watermark();
        boolean fits = ledger.fill(next);
        if (!fits) {
            gapAt = before;
        }
        dirty |= ledger.watermark() != before;
        return fits;
    }

    void buffer(KafkaDelivery delivery) {
        buffer.add(delivery);
        buffered++;
        bufferedBytes += delivery.heldBytes();
    }

    /** A call that still runs from an earlier assignment is this partition's now. */
    void adopt(KafkaDelivery running) {
        running.partition = this;
        inFlight.add(running);
    }

    /** What was done in an earlier assignment and could not be committed. */
    void done(long offset) {
        ledger.complete(offset);
        dirty = true;
    }

    /** It waited in its lane and holds it now. */
    void ready(KafkaDelivery delivery) {
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
    KafkaDelivery next(long now) {
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
                case NOW -> {
                    buffer.poll();
                    ready.add(next);
                }
                case LATER -> {
                    buffer.poll();
                    next = null;
                }
                case AFTER_RELEASED -> {
                    buffer.poll();
                    unbuffer(next);
                    giveBack(next, now);
                    next = null;
                }
            }
        }
        return next;
    }

    /** The one that was {@link #next} is in flight. */
    void handedOver(KafkaDelivery delivery) {
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
    void settled(KafkaDelivery delivery, long now) {
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
            retryAt = now + backoff.nextNanos();
        }
        lastReleased = now;
    }

    /** Whether what the consumer reads next is what the ledger expects next: it was not sent back in this round. */
    boolean isUpToDate() {
        return gapAt != ledger.watermark();
    }

    boolean isRetrying() {
        return retrying;
    }

    boolean isRetryDue(long now) {
        return retrying && now - retryAt >= 0;
    }

    /** Turns back to the lowest offset that was released, which the consumer has to seek. */
    long rewind() {
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
    void revoke() {
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
    void close() {
        stop();
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    /** Whether nothing of it is handed over until released messages are read again. */
    boolean isBlocked() {
        return retrying && released >= MANY_RELEASED;
    }

    /** Whether reading has to wait for the watermark. */
    boolean isLedgerFull() {
        if (ledger == null) {
            return false;
        }
        spanFull = ledger.fullness() > (spanFull ? 0.75 : 0.9);
        return spanFull || mapFull || gapAt == ledger.watermark();
    }

    /** Takes note of how long the text was that went into the last commit. */
    void noteMapLength(int characters) {
        mapFull = characters > (mapFull ? CompletedRanges.NEARLY_FULL * 3 / 4 : CompletedRanges.NEARLY_FULL);
    }

    int buffered() {
        return buffered;
    }

    long bufferedBytes() {
        return bufferedBytes;
    }

    /** Returns how many of the buffered records do not wait for a call of the same key. */
    int bufferedFree() {
        return buffered - parked;
    }

    /** Returns the bytes of the buffered records that wait for a call of the same key. */
    long parkedBytes() {
        return parkedBytes;
    }

    InFlight inFlight() {
        return inFlight;
    }

    /** How many messages are not settled, as far as is known. */
    long backlog() {
        return ledger == null
                ? 0
                : Math.max(0, Math.max(end, ledger.frontier()) - ledger.watermark() - ledger.doneAbove());
    }

    /** The timestamp of the oldest message that was read and is not settled; {@link Long#MAX_VALUE} if there is none. */
    long oldestTimestamp() {
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

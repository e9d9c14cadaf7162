package io.iocluster.kafka.ledger;

import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;

/**
 * How other threads reach the poll thread: settled deliveries, and the word that there is room again. Any thread posts; the
 * poll thread alone takes and waits. A post costs a volatile read more than the queue does unless the thread waits.
 */
public final class PollThreadMailbox {

    private final MpscUnboundedAtomicArrayQueue<KafkaDelivery> settled = new MpscUnboundedAtomicArrayQueue<>(1_024);
    private final LongAdder strayed = new LongAdder();
    private volatile Thread waitsForSettlements;
    private volatile Thread waitsForRoom;

    void post(KafkaDelivery delivery) {
        settled.offer(delivery);
        Thread waiter = waitsForSettlements;
        if (waiter != null) {
            waitsForSettlements = null;
            LockSupport.unpark(waiter);
        }
    }

    void recordDuplicateSettlement() {
        strayed.increment();
    }

    public long duplicateSettlements() {
        return strayed.sum();
    }

    public void capacityAvailable() {
        Thread waiter = waitsForRoom;
        if (waiter != null) {
            waitsForRoom = null;
            LockSupport.unpark(waiter);
        }
    }

    /** The next settled delivery, or null. */
    public KafkaDelivery poll() {
        return settled.relaxedPoll();
    }

    /** From now on {@link #capacityAvailable} ends the next {@link #park}; look once more for room between the two. */
    public void expectCapacity() {
        waitsForRoom = Thread.currentThread();
    }

    /** From now on {@link #post} ends the next {@link #park}; look once more for settlements between the two. */
    public void expectSettlements() {
        waitsForSettlements = Thread.currentThread();
    }

    /** Waits for what is expected, and at most for the time given. May end early. */
    public void park(long nanos) {
        if (settled.isEmpty() || waitsForSettlements == null) {
            LockSupport.parkNanos(this, nanos);
        }
        waitsForRoom = null;
        waitsForSettlements = null;
    }
}

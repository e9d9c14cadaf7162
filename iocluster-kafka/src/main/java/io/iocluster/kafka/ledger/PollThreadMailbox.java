package io.iocluster.kafka.ledger;

import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;

/**
 * Passes settled deliveries and capacity signals to the poll thread. Any thread posts; only the poll thread polls and
 * parks. If the poll thread does not wait, a post is a queue insert and one volatile read.
 *
 * @param <D> the deliveries of the source
 */
public final class PollThreadMailbox<D extends KafkaDelivery> {

    private final MpscUnboundedAtomicArrayQueue<D> settled = new MpscUnboundedAtomicArrayQueue<>(1_024);
    private final LongAdder duplicateSettlements = new LongAdder();
    private volatile Thread settlementWaiter;
    private volatile Thread capacityWaiter;

    /** Adds a settled delivery. Any thread. */
    public void post(D delivery) {
        settled.offer(delivery);
        Thread waiter = settlementWaiter;
        if (waiter != null) {
            settlementWaiter = null;
            LockSupport.unpark(waiter);
        }
    }

    /** Counts a further settlement of a delivery. Any thread. */
    public void recordDuplicateSettlement() {
        duplicateSettlements.increment();
    }

    public long duplicateSettlements() {
        return duplicateSettlements.sum();
    }

    /** Wakes the poll thread if it waits for capacity. Any thread. */
    public void capacityAvailable() {
        Thread waiter = capacityWaiter;
        if (waiter != null) {
            capacityWaiter = null;
            LockSupport.unpark(waiter);
        }
    }

    /** Returns the next settled delivery, or null. */
    public D poll() {
        return settled.relaxedPoll();
    }

    /** Makes {@link #capacityAvailable} end the next {@link #park}. Check for capacity again before you park. */
    public void expectCapacity() {
        capacityWaiter = Thread.currentThread();
    }

    /** Makes {@link #post} end the next {@link #park}. Check for settlements again before you park. */
    public void expectSettlements() {
        settlementWaiter = Thread.currentThread();
    }

    /** Waits for an expected event, at most {@code nanos}. May return early. */
    public void park(long nanos) {
        if (settled.isEmpty() || settlementWaiter == null) {
            LockSupport.parkNanos(this, nanos);
        }
        capacityWaiter = null;
        settlementWaiter = null;
    }
}

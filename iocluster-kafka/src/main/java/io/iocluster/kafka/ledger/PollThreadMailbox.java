package io.iocluster.kafka.ledger;

import java.util.concurrent.atomic.LongAdder;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;

/**
 * Passes settled deliveries and capacity signals to the poll thread. Any thread posts; only the poll thread polls and
 * expects. If the poll thread does not expect the event, a post is a queue insert and one volatile read.
 *
 * @param <D> the deliveries of the source
 */
public final class PollThreadMailbox<D extends KafkaDelivery> {

    private final MpscUnboundedAtomicArrayQueue<D> settled = new MpscUnboundedAtomicArrayQueue<>(1_024);
    private final LongAdder duplicateSettlements = new LongAdder();
    private Runnable wakeReader;
    private volatile boolean expectsSettlements;
    private volatile boolean expectsCapacity;

    /** Sets what wakes the poll thread. Called once, before it starts. */
    public void setReader(Runnable wake) {
        wakeReader = wake;
    }

    /** Adds a settled delivery. Any thread. */
    public void post(D delivery) {
        settled.offer(delivery);
        if (expectsSettlements) {
            expectsSettlements = false;
            wakeReader.run();
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
        if (expectsCapacity) {
            expectsCapacity = false;
            wakeReader.run();
        }
    }

    /** Returns the next settled delivery, or null. */
    public D poll() {
        return settled.relaxedPoll();
    }

    /** Makes {@link #capacityAvailable} end the next wait of the poll thread. Check for capacity again before it waits. */
    public void expectCapacity() {
        expectsCapacity = true;
    }

    /** Makes {@link #post} end the next wait of the poll thread. */
    public void expectSettlements() {
        expectsSettlements = true;
    }

    /** Returns how long the poll thread may wait: not at all if an expected settlement has arrived, otherwise {@code nanos}. */
    public long maxWait(long nanos) {
        return expectsSettlements && !settled.isEmpty() ? 0 : nanos;
    }

    /** Ends the expectations, because the poll thread no longer waits. */
    public void expectNothing() {
        if (expectsCapacity) {
            expectsCapacity = false;
        }
        if (expectsSettlements) {
            expectsSettlements = false;
        }
    }
}

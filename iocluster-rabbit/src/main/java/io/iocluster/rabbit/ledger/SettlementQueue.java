package io.iocluster.rabbit.ledger;

import java.util.concurrent.atomic.LongAdder;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;

/** How settled deliveries reach the source's loop. Any thread posts; the loop alone takes. */
public final class SettlementQueue {

    private final MpscUnboundedAtomicArrayQueue<RabbitDelivery> settled = new MpscUnboundedAtomicArrayQueue<>(1_024);
    private final LongAdder strayed = new LongAdder();
    private final Runnable posted;

    /** A mailbox that runs something after each post, on the thread that posts. */
    public SettlementQueue(Runnable posted) {
        this.posted = posted;
    }

    void post(RabbitDelivery delivery) {
        settled.offer(delivery);
        posted.run();
    }

    void recordDuplicateSettlement() {
        strayed.increment();
    }

    public long duplicateSettlements() {
        return strayed.sum();
    }

    /** The next settled delivery, or null. */
    public RabbitDelivery poll() {
        return settled.relaxedPoll();
    }
}

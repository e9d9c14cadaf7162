package io.iocluster.rabbit.ledger;

import java.util.concurrent.atomic.LongAdder;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;

/** Carries settled deliveries to the source's loop. Any thread posts; only the loop polls. */
public final class SettlementQueue {

    private final MpscUnboundedAtomicArrayQueue<RabbitDelivery> settled = new MpscUnboundedAtomicArrayQueue<>(1_024);
    private final LongAdder duplicates = new LongAdder();
    private final Runnable posted;

    /** @param posted runs after each post, on the posting thread */
    public SettlementQueue(Runnable posted) {
        this.posted = posted;
    }

    void post(RabbitDelivery delivery) {
        settled.offer(delivery);
        posted.run();
    }

    void recordDuplicateSettlement() {
        duplicates.increment();
    }

    public long duplicateSettlements() {
        return duplicates.sum();
    }

    /** Returns the next settled delivery, or null. Confined to the loop. */
    public RabbitDelivery poll() {
        return settled.relaxedPoll();
    }
}

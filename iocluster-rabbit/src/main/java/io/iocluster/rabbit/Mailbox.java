package io.iocluster.rabbit;

import java.util.concurrent.atomic.LongAdder;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;

/** How settled deliveries reach the source's loop. Any thread posts; the loop alone takes. */
final class Mailbox {

    private final MpscUnboundedAtomicArrayQueue<RabbitDelivery> settled = new MpscUnboundedAtomicArrayQueue<>(1_024);
    private final LongAdder strayed = new LongAdder();
    private final Runnable posted;

    /** A mailbox that runs something after each post, on the thread that posts. */
    Mailbox(Runnable posted) {
        this.posted = posted;
    }

    void post(RabbitDelivery delivery) {
        settled.offer(delivery);
        posted.run();
    }

    void strayed() {
        strayed.increment();
    }

    long strayedCount() {
        return strayed.sum();
    }

    /** The next settled delivery, or null. */
    RabbitDelivery poll() {
        return settled.relaxedPoll();
    }
}

package io.iocluster.kafka.ledger;

import java.util.function.Predicate;

/**
 * The deliveries of one partition that were handed over and are not settled, in the order of handing over. Confined to the
 * poll thread. Linked through the deliveries themselves, so that adding and removing allocates nothing.
 */
public final class InFlightDeliveries {

    private KafkaDelivery first;
    private KafkaDelivery last;
    private int size;

    void add(KafkaDelivery delivery) {
        delivery.previous = last;
        if (last == null) {
            first = delivery;
        } else {
            last.next = delivery;
        }
        last = delivery;
        size++;
    }

    void remove(KafkaDelivery delivery) {
        if (delivery.previous == null) {
            first = delivery.next;
        } else {
            delivery.previous.next = delivery.next;
        }
        if (delivery.next == null) {
            last = delivery.previous;
        } else {
            delivery.next.previous = delivery.previous;
        }
        delivery.previous = null;
        delivery.next = null;
        size--;
    }

    void removeIf(Predicate<KafkaDelivery> gone) {
        KafkaDelivery delivery = first;
        while (delivery != null) {
            KafkaDelivery after = delivery.next;
            if (gone.test(delivery)) {
                remove(delivery);
            }
            delivery = after;
        }
    }

    /** The one handed over first, or null. */
    KafkaDelivery first() {
        return first;
    }

    public int size() {
        return size;
    }
}

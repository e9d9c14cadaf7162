package io.iocluster.kafka.ledger;

import java.util.function.Predicate;

/**
 * The deliveries of one partition that are in flight, in the order in which the intake accepted them. Confined to the
 * poll thread. An intrusive linked list, so that adding and removing allocates nothing.
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

    void removeIf(Predicate<KafkaDelivery> filter) {
        KafkaDelivery delivery = first;
        while (delivery != null) {
            KafkaDelivery after = delivery.next;
            if (filter.test(delivery)) {
                remove(delivery);
            }
            delivery = after;
        }
    }

    /** Returns the oldest delivery, or null. */
    KafkaDelivery first() {
        return first;
    }

    public int size() {
        return size;
    }
}

package io.iocluster.kafka.ledger;

import java.util.function.Predicate;

/**
 * The deliveries of one partition that are in flight, in the order in which the intake accepted them. Confined to the
 * poll thread. An intrusive linked list, so that adding and removing allocates nothing.
 */
public final class InFlightDeliveries {

    private OffsetDelivery first;
    private OffsetDelivery last;
    private int size;

    void add(OffsetDelivery delivery) {
        delivery.previous = last;
        if (last == null) {
            first = delivery;
        } else {
            last.next = delivery;
        }
        last = delivery;
        size++;
    }

    void remove(OffsetDelivery delivery) {
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

    void removeIf(Predicate<OffsetDelivery> filter) {
        OffsetDelivery delivery = first;
        while (delivery != null) {
            OffsetDelivery after = delivery.next;
            if (filter.test(delivery)) {
                remove(delivery);
            }
            delivery = after;
        }
    }

    /** Returns the oldest delivery, or null. */
    OffsetDelivery first() {
        return first;
    }

    public int size() {
        return size;
    }
}

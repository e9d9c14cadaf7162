package io.iocluster.kafka.share;

import io.iocluster.kafka.config.ShareGroupRules;
import io.iocluster.thread.NodeClock;
import io.iocluster.thread.Platform;
import io.iocluster.transport.outage.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records that one consumer has locked, and their acknowledgements. The consumer may poll again when it {@link #isEmpty
 * is empty}. Confined to the thread of the consumer. All times are monotonic
 * nanoseconds.
 *
 * <p>A released record is offered again after a backoff and stays locked, because each delivery counts towards the broker's
 * limit. It is given back to the broker only if this node stops reading.
 */
final class ShareLedger {

    private static final Logger LOG = LoggerFactory.getLogger(ShareLedger.class);

    /** The part of the lock's duration after which locks are renewed. */
    private static final int RENEWALS_PER_LOCK = 3;

    /** The backoff is reset if no record was released for this long. */
    private static final long BACKOFF_RESET_NANOS = Duration.ofSeconds(30).toNanos();

    private final ShareGroupRules rules;
    private final Set<ShareDelivery> open = new HashSet<>();
    private final List<ShareDelivery> retries = new ArrayList<>();
    private final Backoff backoff;
    private final NodeClock clock;
    private long retryAt;
    private long lastReleased;
    private long lockedAt;
    private int uncommitted;

    ShareLedger(ShareGroupRules rules, Platform platform) {
        this.clock = platform;
        this.backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10), platform.random());
        this.rules = rules;
    }

    /** Adds records that were polled. */
    void add(ShareDelivery delivery, long now) {
        if (open.isEmpty()) {
            lockedAt = now;
        }
        open.add(delivery);
    }

    /** Returns when a lock that is taken or renewed now ends. */
    long lockEnd(long now) {
        return now + rules.lock().toNanos();
    }

    /** Returns whether all records are acknowledged. */
    boolean isEmpty() {
        return open.isEmpty();
    }

    /** Returns how many records are acknowledged and not yet committed. */
    int uncommitted() {
        return uncommitted;
    }

    /** Records that the acknowledgements were sent. */
    void committed() {
        uncommitted = 0;
    }

    /** Returns whether released records wait to be offered again. */
    boolean isRetrying() {
        return !retries.isEmpty();
    }

    /** Applies a settlement. A settlement of a record whose lock was lost has no effect, because the broker delivers it again. */
    void settle(ShareConsumer<byte[], byte[]> consumer, ShareDelivery delivery, long now) {
        if (!open.contains(delivery)) {
            return;
        }
        if (delivery.isAcknowledged()) {
            // Rejecting is right for a record whose dead letter is confirmed.
            boolean rejected = delivery.isDeliveryLimitReached();
            acknowledge(consumer, delivery, rejected ? AcknowledgeType.REJECT : AcknowledgeType.ACCEPT);
        } else if (delivery.isLost(now)) {
            // Has no effect on the broker, and lets the consumer poll.
            acknowledge(consumer, delivery, AcknowledgeType.RELEASE);
        } else {
            retry(delivery, now);
        }
    }

    private void retry(ShareDelivery delivery, long now) {
        if (now - lastReleased > BACKOFF_RESET_NANOS) {
            backoff.reset();
        }
        ShareDelivery again = delivery.again();
        open.remove(delivery);
        open.add(again);
        if (retries.isEmpty()) {
            retryAt = delivery.isWithdrawn() ? now : now + backoff.nextDelayNanos();
        }
        retries.add(again);
        if (!delivery.isWithdrawn()) {
            lastReleased = now;
        }
    }

    /** Returns the released records whose backoff is over, to be offered again. */
    List<ShareDelivery> takeRetries(long now) {
        if (retries.isEmpty() || now - retryAt < 0) {
            return List.of();
        }
        List<ShareDelivery> due = List.copyOf(retries);
        retries.clear();
        return due;
    }

    /** Gives released records back to the broker, except those that it would discard. Returns whether there were any. */
    boolean giveBackRetries(ShareConsumer<byte[], byte[]> consumer) {
        boolean any = false;
        Iterator<ShareDelivery> each = retries.iterator();
        while (each.hasNext()) {
            ShareDelivery delivery = each.next();
            if (delivery.deliveries() < rules.deliveryLimit()) {
                each.remove();
                acknowledge(consumer, delivery, AcknowledgeType.RELEASE);
                any = true;
            }
        }
        return any;
    }

    /** Returns the open records that the broker discards if the consumer closes now. */
    List<ShareDelivery> lastDeliveries() {
        return open.stream()
                .filter(delivery -> delivery.deliveries() >= rules.deliveryLimit())
                .toList();
    }

    /** Logs the open records that the broker discards, because the consumer closes now. */
    void logLastDeliveries() {
        lastDeliveries()
                .forEach(delivery -> LOG.error(
                        "Unsettled message at its last delivery; the broker discards it message={} deliveries={}",
                        delivery,
                        delivery.deliveries()));
    }

    /** Returns whether the locks must be renewed now. */
    boolean isRenewalDue(long now) {
        return rules.renewable()
                && !open.isEmpty()
                && now - lockedAt >= rules.lock().toNanos() / RENEWALS_PER_LOCK;
    }

    /** Asks for the renewal of all locks. The caller commits, polls, and passes the result to {@link #renewed}. */
    void requestRenewal(ShareConsumer<byte[], byte[]> consumer, long now) {
        lockedAt = now;
        for (ShareDelivery delivery : List.copyOf(open)) {
            try {
                consumer.acknowledge(delivery.message(), AcknowledgeType.RENEW);
            } catch (IllegalStateException lost) {
                forget(delivery);
            }
        }
    }

    /**
     * Keeps the records whose locks were renewed and forgets the others.
     *
     * @param renewed the records that the consumer returned
     * @param requestedAt when the renewal was requested
     * @return the records that are new
     */
    List<ConsumerRecord<byte[], byte[]>> renewed(Iterable<ConsumerRecord<byte[], byte[]>> renewed, long requestedAt) {
        Set<ConsumerRecord<byte[], byte[]>> returned = Collections.newSetFromMap(new IdentityHashMap<>());
        renewed.forEach(returned::add);
        for (ShareDelivery delivery : List.copyOf(open)) {
            if (returned.remove(delivery.message())) {
                delivery.setLockedUntil(lockEnd(requestedAt));
            } else {
                forget(delivery);
            }
        }
        return List.copyOf(returned);
    }

    /** Forgets all records, because their consumer is lost. The broker delivers them again. Returns how many there were. */
    int clear() {
        logLastDeliveries();
        int lost = open.size();
        List.copyOf(open).forEach(this::forget);
        uncommitted = 0;
        return lost;
    }

    private void forget(ShareDelivery delivery) {
        delivery.setLockedUntil(clock.nanos());
        open.remove(delivery);
        retries.remove(delivery);
    }

    private void acknowledge(ShareConsumer<byte[], byte[]> consumer, ShareDelivery delivery, AcknowledgeType type) {
        open.remove(delivery);
        try {
            consumer.acknowledge(delivery.message(), type);
            uncommitted++;
        } catch (IllegalStateException lost) {
            forget(delivery);
        }
    }
}

package io.iocluster.kafka.config;

import java.time.Duration;

/**
 * What the brokers allow the members of a share group.
 *
 * @param lock how long a record stays locked for the member that has read it
 * @param deliveryLimit number of deliveries after which the broker discards a record
 * @param renewable whether a member may renew its locks
 */
public record ShareGroupRules(Duration lock, int deliveryLimit, boolean renewable) {

    /** Returns the number of deliveries from which a record becomes a dead letter: one is left if that fails. */
    public int deadLetterAt() {
        return Math.max(2, deliveryLimit - 1);
    }
}

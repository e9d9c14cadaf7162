package io.iocluster.kafka.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.kafka.config.ShareGroupRules;
import io.iocluster.testkit.junit.CapturedLog;
import io.iocluster.thread.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class ShareLedgerTest {

    private static final Duration LOCK = Duration.ofSeconds(30);
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(10);
    private static final int LIMIT = 5;

    private final FakeShareConsumer consumer = new FakeShareConsumer();
    private final List<ShareDelivery> settled = new ArrayList<>();
    private final ShareLedger ledger = new ShareLedger(new ShareGroupRules(LOCK, LIMIT, true), Platform.system());
    private long now = System.nanoTime();
    private int duplicates;

    @Test
    void acceptsARecordWhenItIsAcknowledged() {
        ShareDelivery delivery = locked(7, 1);

        delivery.acknowledge();
        settleAll();

        assertThat(consumer.acknowledged).containsExactly("ACCEPT 7");
        assertThat(ledger.isEmpty()).isTrue();
        assertThat(ledger.uncommitted()).isEqualTo(1);
    }

    @Test
    void isNotEmptyUntilTheLastRecordIsSettled() {
        ShareDelivery first = locked(1, 1);
        locked(2, 1);

        first.acknowledge();
        settleAll();

        assertThat(ledger.isEmpty()).isFalse();
    }

    @Test
    void offersAReleasedRecordAgainAfterABackoffWithoutGivingItBack() {
        ShareDelivery delivery = locked(7, 1);

        delivery.release();
        settleAll();

        assertThat(consumer.acknowledged).isEmpty();
        assertThat(ledger.takeRetries(now)).isEmpty();
        assertThat(ledger.takeRetries(now + MAX_BACKOFF.toNanos()))
                .singleElement()
                .satisfies(again -> {
                    assertThat(again.offset()).isEqualTo(7);
                    assertThat(again.isRedelivered()).isTrue();
                    again.acknowledge();
                });
        settleAll();
        assertThat(consumer.acknowledged).containsExactly("ACCEPT 7");
    }

    @Test
    void givesAWithdrawnRecordBackToTheBroker() {
        ShareDelivery delivery = locked(7, 1);

        delivery.withdraw();
        settleAll();

        assertThat(ledger.giveBackRetries(consumer)).isTrue();
        assertThat(consumer.acknowledged).containsExactly("RELEASE 7");
        assertThat(ledger.isEmpty()).isTrue();
    }

    @Test
    void neverGivesBackARecordThatTheBrokerWouldDiscard() {
        ShareDelivery last = locked(7, LIMIT);

        last.withdraw();
        settleAll();

        assertThat(ledger.giveBackRetries(consumer)).isFalse();
        assertThat(consumer.acknowledged).isEmpty();
        assertThat(ledger.lastDeliveries()).hasSize(1);
        assertThat(ledger.takeRetries(now)).hasSize(1);
    }

    @Test
    void makesADeadLetterOfARecordThatHasOneDeliveryLeftAndRejectsItWhenThatIsConfirmed() {
        ShareDelivery ordinary = locked(6, LIMIT - 2);
        ShareDelivery poison = locked(7, LIMIT - 1);

        poison.acknowledge();
        settleAll();

        assertThat(ordinary.isDeliveryLimitReached()).isFalse();
        assertThat(ordinary.problem()).isNull();
        assertThat(poison.isDeliveryLimitReached()).isTrue();
        assertThat(poison.problem()).contains("delivered 4 times");
        assertThat(consumer.acknowledged).containsExactly("REJECT 7");
    }

    @Test
    void callsARecordOnceEvenIfTheBrokerAllowsOnlyTwoDeliveries() {
        assertThat(new ShareGroupRules(LOCK, 2, true).deadLetterAt()).isEqualTo(2);
    }

    @Test
    void renewsAllLocksAfterAThirdOfTheirDuration() {
        locked(1, 1);
        ShareDelivery second = locked(2, 1);
        second.acknowledge();
        settleAll();

        assertThat(ledger.isRenewalDue(now + LOCK.toNanos() / 3 - 1)).isFalse();
        now += LOCK.toNanos() / 3;
        assertThat(ledger.isRenewalDue(now)).isTrue();
        ledger.requestRenewal(consumer, now);

        assertThat(consumer.acknowledged).containsExactly("ACCEPT 2", "RENEW 1");
        assertThat(ledger.isRenewalDue(now)).isFalse();
    }

    @Test
    void keepsARenewedRecordAndForgetsOneThatTheBrokerDidNotRenew() {
        ShareDelivery kept = locked(1, 1);
        ShareDelivery lost = locked(2, 1);
        ConsumerRecord<byte[], byte[]> fresh = message(3, 1);

        ledger.requestRenewal(consumer, now);
        List<ConsumerRecord<byte[], byte[]>> others = ledger.renewed(List.of(kept.message(), fresh), now);

        assertThat(others).containsExactly(fresh);
        assertThat(lost.claim()).isFalse();
        assertThat(kept.claim()).isTrue();
        lost.acknowledge();
        kept.acknowledge();
        consumer.acknowledged.clear();
        settleAll();
        assertThat(consumer.acknowledged).containsExactly("ACCEPT 1");
    }

    @Test
    void doesNotRenewIfTheGroupDoesNotAllowIt() {
        ShareLedger fixed = new ShareLedger(new ShareGroupRules(LOCK, LIMIT, false), Platform.system());
        fixed.add(delivery(message(1, 1)), now);

        assertThat(fixed.isRenewalDue(now + LOCK.toNanos())).isFalse();
    }

    @Test
    void makesNoCallForARecordWhoseLockHasEnded() {
        ShareDelivery delivery = locked(7, 1);
        delivery.setLockedUntil(now);

        assertThat(delivery.claim()).isFalse();
        delivery.release();
        settleAll();

        assertThat(consumer.acknowledged).containsExactly("RELEASE 7");
        assertThat(ledger.isEmpty()).isTrue();
    }

    @Test
    void keepsTheClaimOfACallThatOutlivesItsLock() {
        ShareDelivery delivery = locked(7, 1);

        assertThat(delivery.claim()).isTrue();
        delivery.setLockedUntil(System.nanoTime());

        assertThat(delivery.claim()).isTrue();
    }

    @Test
    void forgetsARecordThatTheClientHasLost() {
        ShareDelivery delivery = locked(7, 1);
        consumer.lost.add(7L);

        delivery.acknowledge();
        settleAll();

        assertThat(ledger.isEmpty()).isTrue();
        assertThat(ledger.uncommitted()).isZero();
    }

    @Test
    void ignoresTheSettlementOfARecordOfALostConsumer() {
        ShareDelivery delivery = locked(7, 1);
        assertThat(ledger.clear()).isEqualTo(1);

        delivery.acknowledge();
        settleAll();

        assertThat(consumer.acknowledged).isEmpty();
        assertThat(ledger.isEmpty()).isTrue();
    }

    @Test
    void logsTheRecordsOfALostConsumerThatTheBrokerDiscards() {
        locked(7, LIMIT);
        locked(8, LIMIT - 1);

        try (CapturedLog log = CapturedLog.of(ShareLedger.class)) {
            ledger.clear();

            assertThat(log.messages())
                    .containsExactly(
                            "Unsettled message at its last delivery; the broker discards it message=in/0/7 deliveries=5");
        }
    }

    @Test
    void countsASecondSettlement() {
        ShareDelivery delivery = locked(7, 1);

        delivery.acknowledge();
        delivery.release();

        assertThat(duplicates).isEqualTo(1);
        assertThat(settled).hasSize(1);
    }

    private ShareDelivery locked(long offset, int deliveries) {
        ShareDelivery delivery = delivery(message(offset, deliveries));
        ledger.add(delivery, now);
        return delivery;
    }

    private ShareDelivery delivery(ConsumerRecord<byte[], byte[]> message) {
        int deadLetterAt = new ShareGroupRules(LOCK, LIMIT, true).deadLetterAt();
        return new ShareDelivery(
                message,
                settled::add,
                () -> duplicates++,
                deadLetterAt,
                ledger.lockEnd(now),
                false,
                false,
                Platform.system());
    }

    private void settleAll() {
        settled.forEach(delivery -> ledger.settle(consumer, delivery, now));
        settled.clear();
    }

    private static ConsumerRecord<byte[], byte[]> message(long offset, int deliveries) {
        return new ConsumerRecord<>(
                "in",
                0,
                offset,
                0,
                TimestampType.CREATE_TIME,
                0,
                1,
                null,
                new byte[1],
                new RecordHeaders(),
                Optional.empty(),
                Optional.of((short) deliveries));
    }
}

package io.iocluster.kafka.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.kafka.ledger.OffsetLedger.TrackResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class KafkaPartitionTest {

    private static final long LATER = Duration.ofMinutes(1).toNanos();

    private final PollThreadMailbox mailbox = new PollThreadMailbox();
    private final KeyLanes lanes = new KeyLanes();

    @Test
    void handsOverInTheOrderOfReading() {
        KafkaPartition partition = partition(null);
        read(partition, 0, "a", "a", "b");

        assertThat(offsets(handOver(partition))).containsExactly(0L, 1L, 2L);
        assertThat(partition.buffered()).isZero();
        assertThat(partition.inFlight().size()).isEqualTo(3);
    }

    @Test
    void neverHasTwoOfOneKeyInFlight() {
        KafkaPartition partition = partition(lanes);
        read(partition, 0, "a", "a", "b", null, "a");

        List<KafkaDelivery> first = handOver(partition);
        assertThat(offsets(first)).containsExactly(0L, 2L, 3L);
        assertThat(partition.buffered()).isEqualTo(2);

        settle(first.get(0), true);
        List<KafkaDelivery> second = handOver(partition);
        assertThat(offsets(second)).containsExactly(1L);

        settle(second.get(0), true);
        assertThat(offsets(handOver(partition))).containsExactly(4L);
    }

    @Test
    void forgetsALaneThatNobodyUses() {
        KafkaPartition partition = partition(lanes);
        read(partition, 0, "a", "b");

        handOver(partition).forEach(delivery -> settle(delivery, true));

        assertThat(lanes.size()).isZero();
    }

    @Test
    void keepsTheOrderOfAKeyWhenOneIsReleased() {
        KafkaPartition partition = partition(lanes);
        read(partition, 0, "a", "a", "b", "a");
        List<KafkaDelivery> first = handOver(partition);

        settle(first.get(0), false);
        read(partition, 4, "a", "c");
        assertThat(offsets(handOver(partition))).containsExactly(5L);

        assertThat(partition.isRetryDue(LATER)).isTrue();
        assertThat(partition.rewind()).isZero();
        read(partition, 0, "a", "a", "b", "a", "a", "c");
        List<KafkaDelivery> again = handOver(partition);
        assertThat(offsets(again)).containsExactly(0L);
        settle(again.get(0), true);
        assertThat(offsets(handOver(partition))).containsExactly(1L);
    }

    @Test
    void handsOverOthersWhileOneReleasedMessageWaits() {
        KafkaPartition partition = partition(null);
        read(partition, 0, "a", "b");
        List<KafkaDelivery> first = handOver(partition);

        settle(first.get(0), false);
        read(partition, 2, "c");

        assertThat(partition.isRetrying()).isTrue();
        assertThat(partition.isRetryDue(0)).isFalse();
        assertThat(offsets(handOver(partition))).containsExactly(2L);
        assertThat(partition.rewind()).isZero();
        assertThat(partition.track(TestRecords.message("t", 0, 0, "a"))).isEqualTo(TrackResult.TRACKED_AGAIN);
        assertThat(partition.track(TestRecords.message("t", 0, 1, "b"))).isEqualTo(TrackResult.ALREADY_TRACKED);
    }

    @Test
    void waitsAsAWholeWhenManyAreReleased() {
        KafkaPartition partition = partition(null);
        read(partition, 0, new String[20]);

        handOver(partition).forEach(delivery -> settle(delivery, false));
        read(partition, 20, "x");

        assertThat(partition.isBlocked()).isTrue();
        assertThat(handOver(partition)).isEmpty();
        partition.rewind();
        assertThat(offsets(handOver(partition))).containsExactly(20L);
    }

    @Test
    void holdsTheKeyOfACallThatOutlivesItsAssignment() {
        KafkaPartition old = partition(lanes);
        read(old, 0, "a", "a");
        KafkaDelivery running = handOver(old).get(0);
        old.close();

        KafkaPartition back = partition(lanes);
        assertThat(back.track(running.message())).isEqualTo(TrackResult.TRACKED);
        old.inFlight().remove(running);
        back.adopt(running);
        read(back, 1, "a");
        assertThat(handOver(back)).isEmpty();

        settle(running, true);
        assertThat(offsets(handOver(back))).containsExactly(1L);
        assertThat(back.ledger().watermark()).isEqualTo(1);
    }

    @Test
    void withdrawsCallsThatHaveNotBegunWhenItIsRevokedAndKeepsTheOthers() {
        KafkaPartition partition = partition(lanes);
        read(partition, 0, "a", "b", "a");
        List<KafkaDelivery> open = handOver(partition);
        assertThat(open.get(0).claim()).isTrue();

        partition.revoke();

        assertThat(open.get(0).claim()).isTrue();
        assertThat(open.get(1).claim()).isFalse();
        assertThat(partition.inFlight().size()).isEqualTo(1);
        assertThat(partition.inFlight().first()).isSameAs(open.get(0));
        KafkaPartition back = partition(lanes);
        read(back, 1, "b");
        assertThat(offsets(handOver(back))).containsExactly(1L);
    }

    @Test
    void countsASecondSettlementAndDoesNothingElse() {
        KafkaPartition partition = partition(null);
        read(partition, 0, "a");
        KafkaDelivery delivery = handOver(partition).get(0);

        delivery.acknowledge();
        delivery.release();
        delivery.acknowledge();

        assertThat(mailbox.duplicateSettlements()).isEqualTo(2);
        assertThat(mailbox.poll()).isSameAs(delivery);
        assertThat(mailbox.poll()).isNull();
        assertThat(delivery.isAcknowledged()).isTrue();
    }

    @Test
    void tellsTheBacklogWithoutWhatIsDoneAboveAGap() {
        KafkaPartition partition = partition(null);
        read(partition, 0, "a", "b", "c", "d");
        partition.end = 10;
        List<KafkaDelivery> all = handOver(partition);

        settle(all.get(2), true);
        settle(all.get(3), true);

        assertThat(partition.backlog()).isEqualTo(8);
    }

    private static KafkaPartition partition(KeyLanes lanes) {
        KafkaPartition partition = new KafkaPartition(new TopicPartition("t", 0), lanes, 4_096);
        partition.start(0, new int[0]);
        return partition;
    }

    private void read(KafkaPartition partition, long from, String... keys) {
        long offset = from;
        for (String key : keys) {
            var message = TestRecords.message("t", 0, offset++, key);
            TrackResult admission = partition.track(message);
            if (admission == TrackResult.TRACKED || admission == TrackResult.TRACKED_AGAIN) {
                partition.buffer(new KafkaDelivery(message, partition, mailbox, false));
            }
        }
    }

    private static List<KafkaDelivery> handOver(KafkaPartition partition) {
        List<KafkaDelivery> taken = new ArrayList<>();
        for (KafkaDelivery next = partition.nextToOffer(0); next != null; next = partition.nextToOffer(0)) {
            partition.markInFlight(next);
            taken.add(next);
        }
        return taken;
    }

    private static void settle(KafkaDelivery delivery, boolean acknowledge) {
        if (acknowledge) {
            delivery.acknowledge();
        } else {
            delivery.release();
        }
        delivery.partition.settle(delivery, 0);
    }

    private static List<Long> offsets(List<KafkaDelivery> deliveries) {
        return deliveries.stream().map(KafkaDelivery::offset).toList();
    }
}

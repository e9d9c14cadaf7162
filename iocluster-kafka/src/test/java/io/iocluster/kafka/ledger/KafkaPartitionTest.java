package io.iocluster.kafka.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.kafka.ledger.OffsetLedger.TrackResult;
import io.iocluster.thread.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class KafkaPartitionTest {

    private static final long LATER = Duration.ofMinutes(1).toNanos();

    private final PollThreadMailbox<OffsetDelivery> mailbox = new PollThreadMailbox<>();
    private final KeyLanes lanes = new KeyLanes();

    @Test
    void offersRecordsInReadOrder() {
        KafkaPartition partition = partition(null);
        read(partition, 0, "a", "a", "b");

        assertThat(offsets(offerAll(partition))).containsExactly(0L, 1L, 2L);
        assertThat(partition.buffered()).isZero();
        assertThat(partition.inFlight().size()).isEqualTo(3);
    }

    @Test
    void hasAtMostOneRecordOfAKeyInFlight() {
        KafkaPartition partition = partition(lanes);
        read(partition, 0, "a", "a", "b", null, "a");

        List<OffsetDelivery> first = offerAll(partition);
        assertThat(offsets(first)).containsExactly(0L, 2L, 3L);
        assertThat(partition.buffered()).isEqualTo(2);

        settle(first.get(0), true);
        List<OffsetDelivery> second = offerAll(partition);
        assertThat(offsets(second)).containsExactly(1L);

        settle(second.get(0), true);
        assertThat(offsets(offerAll(partition))).containsExactly(4L);
    }

    @Test
    void removesAnUnusedLane() {
        KafkaPartition partition = partition(lanes);
        read(partition, 0, "a", "b");

        offerAll(partition).forEach(delivery -> settle(delivery, true));

        assertThat(lanes.size()).isZero();
    }

    @Test
    void keepsTheOrderOfAKeyWhenARecordIsReleased() {
        KafkaPartition partition = partition(lanes);
        read(partition, 0, "a", "a", "b", "a");
        List<OffsetDelivery> first = offerAll(partition);

        settle(first.get(0), false);
        read(partition, 4, "a", "c");
        assertThat(offsets(offerAll(partition))).containsExactly(5L);

        assertThat(partition.isRetryDue(LATER)).isTrue();
        assertThat(partition.rewind()).isZero();
        read(partition, 0, "a", "a", "b", "a", "a", "c");
        List<OffsetDelivery> again = offerAll(partition);
        assertThat(offsets(again)).containsExactly(0L);
        settle(again.get(0), true);
        assertThat(offsets(offerAll(partition))).containsExactly(1L);
    }

    @Test
    void offersOtherRecordsWhileAReleasedRecordWaits() {
        KafkaPartition partition = partition(null);
        read(partition, 0, "a", "b");
        List<OffsetDelivery> first = offerAll(partition);

        settle(first.get(0), false);
        read(partition, 2, "c");

        assertThat(partition.isRetrying()).isTrue();
        assertThat(partition.isRetryDue(0)).isFalse();
        assertThat(offsets(offerAll(partition))).containsExactly(2L);
        assertThat(partition.rewind()).isZero();
        assertThat(partition.track(TestRecords.message("t", 0, 0, "a"))).isEqualTo(TrackResult.TRACKED_AGAIN);
        assertThat(partition.track(TestRecords.message("t", 0, 1, "b"))).isEqualTo(TrackResult.ALREADY_TRACKED);
    }

    @Test
    void blocksThePartitionWhenManyRecordsAreReleased() {
        KafkaPartition partition = partition(null);
        read(partition, 0, new String[20]);

        offerAll(partition).forEach(delivery -> settle(delivery, false));
        read(partition, 20, "x");

        assertThat(partition.isBlocked()).isTrue();
        assertThat(offerAll(partition)).isEmpty();
        partition.rewind();
        assertThat(offsets(offerAll(partition))).containsExactly(20L);
    }

    @Test
    void keepsTheLaneOfACallThatOutlivesItsAssignment() {
        KafkaPartition old = partition(lanes);
        read(old, 0, "a", "a");
        OffsetDelivery running = offerAll(old).get(0);
        old.close();

        KafkaPartition reassigned = partition(lanes);
        assertThat(reassigned.track(running.message())).isEqualTo(TrackResult.TRACKED);
        old.inFlight().remove(running);
        reassigned.adopt(running);
        read(reassigned, 1, "a");
        assertThat(offerAll(reassigned)).isEmpty();

        settle(running, true);
        assertThat(offsets(offerAll(reassigned))).containsExactly(1L);
        assertThat(reassigned.ledger().watermark()).isEqualTo(1);
    }

    @Test
    void withdrawsOnlyCallsThatHaveNotStartedWhenItIsRevoked() {
        KafkaPartition partition = partition(lanes);
        read(partition, 0, "a", "b", "a");
        List<OffsetDelivery> open = offerAll(partition);
        assertThat(open.get(0).claim()).isTrue();

        partition.revoke();

        assertThat(open.get(0).claim()).isTrue();
        assertThat(open.get(1).claim()).isFalse();
        assertThat(partition.inFlight().size()).isEqualTo(1);
        assertThat(partition.inFlight().first()).isSameAs(open.get(0));
        KafkaPartition reassigned = partition(lanes);
        read(reassigned, 1, "b");
        assertThat(offsets(offerAll(reassigned))).containsExactly(1L);
    }

    @Test
    void countsAndIgnoresASecondSettlement() {
        KafkaPartition partition = partition(null);
        read(partition, 0, "a");
        OffsetDelivery delivery = offerAll(partition).get(0);

        delivery.acknowledge();
        delivery.release();
        delivery.acknowledge();

        assertThat(mailbox.duplicateSettlements()).isEqualTo(2);
        assertThat(mailbox.poll()).isSameAs(delivery);
        assertThat(mailbox.poll()).isNull();
        assertThat(delivery.isAcknowledged()).isTrue();
    }

    @Test
    void excludesCompletedRecordsAboveAGapFromTheBacklog() {
        KafkaPartition partition = partition(null);
        read(partition, 0, "a", "b", "c", "d");
        partition.end = 10;
        List<OffsetDelivery> all = offerAll(partition);

        settle(all.get(2), true);
        settle(all.get(3), true);

        assertThat(partition.backlog()).isEqualTo(8);
    }

    private static KafkaPartition partition(KeyLanes lanes) {
        KafkaPartition partition = new KafkaPartition(
                new TopicPartition("t", 0), lanes, 4_096, Platform.system().random());
        partition.start(0, new int[0]);
        return partition;
    }

    private void read(KafkaPartition partition, long from, String... keys) {
        long offset = from;
        for (String key : keys) {
            var message = TestRecords.message("t", 0, offset++, key);
            TrackResult result = partition.track(message);
            if (result == TrackResult.TRACKED || result == TrackResult.TRACKED_AGAIN) {
                partition.buffer(new OffsetDelivery(message, partition, mailbox, false, false));
            }
        }
    }

    private static List<OffsetDelivery> offerAll(KafkaPartition partition) {
        List<OffsetDelivery> offered = new ArrayList<>();
        for (OffsetDelivery next = partition.nextToOffer(0); next != null; next = partition.nextToOffer(0)) {
            partition.markInFlight(next);
            offered.add(next);
        }
        return offered;
    }

    private static void settle(OffsetDelivery delivery, boolean acknowledge) {
        if (acknowledge) {
            delivery.acknowledge();
        } else {
            delivery.release();
        }
        delivery.partition.settle(delivery, 0);
    }

    private static List<Long> offsets(List<OffsetDelivery> deliveries) {
        return deliveries.stream().map(OffsetDelivery::offset).toList();
    }
}

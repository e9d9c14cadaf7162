package io.iocluster.kafka.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.kafka.ledger.OffsetLedger.TrackResult;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OffsetLedgerTest {

    private final OffsetLedger ledger = new OffsetLedger(100, 4_096);

    @Test
    void completesOffsetsWithoutRecords() {
        trackAll(100, 105);
        ledger.complete(100);
        assertThat(ledger.watermark()).isEqualTo(105);

        ledger.skipTo(110);
        ledger.complete(105);
        assertThat(ledger.watermark()).isEqualTo(110);
        assertThat(ledger.position()).isEqualTo(110);
    }

    @Test
    void completesAReleasedOffsetWhoseRecordHasVanished() {
        trackAll(100, 101);
        ledger.complete(101);
        ledger.release(100);
        ledger.rewind();

        trackAll(102);

        assertThat(ledger.watermark()).isEqualTo(102);
    }

    @Test
    void isFullForOffsetsTooFarAheadOfTheWatermark() {
        trackAll(100);

        assertThat(ledger.track(100 + 4_096)).isEqualTo(TrackResult.FULL);
        assertThat(ledger.track(1_000_000)).isEqualTo(TrackResult.FULL);
        assertThat(ledger.skipTo(1_000_000)).isFalse();

        ledger.complete(100);
        assertThat(ledger.track(1_000_000)).isEqualTo(TrackResult.TRACKED);
        assertThat(ledger.watermark()).isEqualTo(1_000_000);
    }

    @Test
    void ignoresSettlementsOfOffsetsThatAreNotInFlight() {
        trackAll(100);
        ledger.complete(100);
        ledger.complete(100);
        ledger.release(100);
        ledger.complete(5);
        ledger.complete(5_000_000);

        assertThat(ledger.watermark()).isEqualTo(101);
        assertThat(ledger.rewind()).isEqualTo(101);
        assertThat(ledger.completedAboveWatermark()).isZero();
    }

    @Test
    void restoresCompletedOffsetsOfAnEarlierOwner() {
        trackAll(100, 101, 102, 103, 104);
        ledger.complete(101);
        ledger.complete(102);
        ledger.complete(104);

        OffsetLedger nextOwner = new OffsetLedger(ledger.watermark(), 4_096);
        nextOwner.restore(ledger.completedRuns());

        assertThat(nextOwner.completedRuns()).containsExactly(1, 2, 1, 1);
        assertThat(nextOwner.track(100)).isEqualTo(TrackResult.TRACKED);
        assertThat(nextOwner.track(101)).isEqualTo(TrackResult.ALREADY_TRACKED);
        assertThat(nextOwner.track(102)).isEqualTo(TrackResult.ALREADY_TRACKED);
        assertThat(nextOwner.track(103)).isEqualTo(TrackResult.TRACKED);
        nextOwner.complete(100);
        assertThat(nextOwner.watermark()).isEqualTo(103);
    }

    @Test
    void neverMovesTheWatermarkAboveThePosition() {
        OffsetLedger nextOwner = new OffsetLedger(100, 4_096);
        nextOwner.restore(new int[] {1, 50});
        nextOwner.track(100);
        nextOwner.complete(100);

        assertThat(nextOwner.watermark()).isEqualTo(101);

        nextOwner.track(101);
        assertThat(nextOwner.watermark()).isEqualTo(102);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void matchesAPlainSetForRandomHistories(long seed) {
        Random random = new Random(seed);
        long start = random.nextInt(1_000);
        OffsetLedger tested = new OffsetLedger(start, 4_096);
        TreeSet<Long> open = new TreeSet<>();
        TreeSet<Long> released = new TreeSet<>();
        long next = start;
        long high = start;
        for (int step = 0; step < 40_000; step++) {
            int dice = random.nextInt(100);
            long lowest = lowest(open, released, high);
            if (dice < 50 && next - lowest < 4_000) {
                long gap = random.nextInt(20) == 0 ? random.nextInt(80) : 0;
                long offset = next + gap;
                // Offsets that were read before have no gaps.
                offset = next < high ? next : offset;
                TrackResult result = tested.track(offset);
                boolean fresh = offset >= high;
                if (fresh || released.contains(offset)) {
                    assertThat(result).isEqualTo(fresh ? TrackResult.TRACKED : TrackResult.TRACKED_AGAIN);
                    released.remove(offset);
                    open.add(offset);
                } else {
                    assertThat(result).isEqualTo(TrackResult.ALREADY_TRACKED);
                }
                next = offset + 1;
                high = Math.max(high, next);
            } else if (dice < 90 && !open.isEmpty()) {
                long offset = pick(open, random);
                open.remove(offset);
                tested.complete(offset);
            } else if (dice < 97 && !open.isEmpty()) {
                long offset = pick(open, random);
                open.remove(offset);
                released.add(offset);
                tested.release(offset);
            } else if (!released.isEmpty()) {
                next = Math.min(next, released.first());
                assertThat(tested.rewind()).isEqualTo(next);
            }
            assertThat(tested.watermark()).isEqualTo(lowest(open, released, high));
            assertThat(tested.inFlight()).isEqualTo(open.size());
        }
        long uncompleted = (long) open.size() + released.size();
        assertThat(high - tested.watermark() - tested.completedAboveWatermark()).isEqualTo(uncompleted);
        assertThat(restored(tested)).isEqualTo(completedAbove(tested.watermark(), high, open, released));
    }

    private static long lowest(NavigableSet<Long> open, NavigableSet<Long> released, long otherwise) {
        long lowest = open.isEmpty() ? otherwise : open.first();
        return released.isEmpty() ? lowest : Math.min(lowest, released.first());
    }

    private static long pick(NavigableSet<Long> open, Random random) {
        long range = open.last() - open.first() + 1;
        return open.ceiling(open.first() + random.nextLong(range));
    }

    private static List<Long> restored(OffsetLedger ledger) {
        List<Long> completed = new ArrayList<>();
        long offset = ledger.watermark();
        int[] runs = ledger.completedRuns();
        for (int i = 0; i < runs.length; i++) {
            for (int j = 0; j < runs[i]; j++, offset++) {
                if (i % 2 == 1) {
                    completed.add(offset);
                }
            }
        }
        return completed;
    }

    private static List<Long> completedAbove(long from, long to, Set<Long> open, Set<Long> released) {
        List<Long> completed = new ArrayList<>();
        for (long offset = from; offset < to; offset++) {
            if (!open.contains(offset) && !released.contains(offset)) {
                completed.add(offset);
            }
        }
        return completed;
    }

    private void trackAll(long... offsets) {
        for (long offset : offsets) {
            assertThat(ledger.track(offset)).isEqualTo(TrackResult.TRACKED);
        }
    }
}

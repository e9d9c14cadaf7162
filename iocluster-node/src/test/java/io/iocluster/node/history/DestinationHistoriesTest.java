package io.iocluster.node.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.AttemptTotals;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.node.TestStatuses;
import io.iocluster.node.history.SampleRing.Samples;
import io.iocluster.node.metrics.DestinationAttempts;
import io.iocluster.node.metrics.NodeStats.DurationBucket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DestinationHistoriesTest {

    private static final int HOUR = 720;

    /** Attempts started so far; all of them have ended. */
    private final Map<String, Long> attempts = new LinkedHashMap<>();

    private final Map<String, Long> errors = new LinkedHashMap<>();
    private final Map<String, List<DurationBucket>> durations = new LinkedHashMap<>();
    private BreakerState breaker = BreakerState.CLOSED;
    private long seconds;

    @Test
    void recordsRatesErrorsAndPercentilesOfTheLastThreeIntervals() {
        DestinationHistories histories = new DestinationHistories(5, HOUR);
        sample(histories, "a", 10);
        errors.put("a", 10L);
        durations.put("a", List.of(new DurationBucket(2_000_000, 90), new DurationBucket(30_000_000, 10)));
        sample(histories, "a", 100);
        sample(histories, "a", 0);
        sample(histories, "a", 200);
        sample(histories, "a", 0);

        assertThat(column(histories, "a", DestinationColumn.ATTEMPTS))
                .containsExactly(Float.NaN, 20f, 10f, 20f, 40 / 3f);
        assertThat(column(histories, "a", DestinationColumn.ERRORS))
                .containsExactly(Float.NaN, 0.1f, 0.1f, 1 / 30f, 0f);
        assertThat(column(histories, "a", DestinationColumn.P50)).startsWith(Float.NaN, 2f, 2f);
        assertThat(column(histories, "a", DestinationColumn.P99)).startsWith(Float.NaN, 30f, 30f);
    }

    @Test
    void startsOverWhenTheNodeHasForgottenADestination() {
        DestinationHistories histories = new DestinationHistories(5, HOUR);
        sample(histories, "a", 50);
        sample(histories, "a", 50);
        attempts.put("a", 0L);
        sample(histories, "a", 5);
        sample(histories, "a", 10);
        attempts.remove("a");
        sample(histories);

        assertThat(column(histories, "a", DestinationColumn.ATTEMPTS))
                .containsExactly(Float.NaN, 10f, Float.NaN, 2f, Float.NaN);
    }

    @Test
    void recordsTheBusiestAndKeepsThoseThatAreAboutAsBusy() {
        DestinationHistories histories = new DestinationHistories(2, HOUR);
        sample(histories, Map.of("a", 100L, "b", 50L, "c", 10L));

        assertThat(recorded(histories)).containsExactly("a", "b");

        sample(histories, Map.of("a", 100L, "b", 50L, "c", 90L));

        assertThat(recorded(histories)).containsExactly("a", "b");

        sample(histories, Map.of("a", 100L, "b", 50L, "c", 150L));

        assertThat(recorded(histories)).containsExactly("a", "c");
    }

    @Test
    void aDestinationInTroubleTakesThePlaceOfABusyOneAndKeepsItForTenMinutes() {
        DestinationHistories histories = new DestinationHistories(1, HOUR);
        sample(histories, Map.of("busy", 1_000L, "failing", 5L));
        assertThat(recorded(histories)).containsExactly("busy");

        errors.put("failing", 5L);
        sample(histories, Map.of("busy", 1_000L, "failing", 5L));

        assertThat(recorded(histories)).containsExactly("failing");

        for (int i = 0; i < 119; i++) {
            sample(histories, Map.of("busy", 1_000L, "failing", 5L));
        }
        assertThat(recorded(histories)).containsExactly("failing");

        sample(histories, Map.of("busy", 1_000L, "failing", 5L));

        assertThat(recorded(histories)).containsExactly("busy");
    }

    @Test
    void recordsADestinationWithAnOpenBreaker() {
        DestinationHistories histories = new DestinationHistories(1, HOUR);
        sample(histories, Map.of("busy", 1_000L));
        breaker = BreakerState.OPEN;
        attempts.clear();
        attempts.put("open", 1L);
        sample(histories);

        assertThat(column(histories, "open", DestinationColumn.ATTEMPTS)).hasSize(1);
    }

    @Test
    void boundsTheDestinationsAndTheSamplesOfEach() {
        DestinationHistories histories = new DestinationHistories(3, 4);
        for (int i = 0; i < 20; i++) {
            for (int destination = 0; destination < 50; destination++) {
                attempts.merge("d" + destination, 1L << (destination % 20), Long::sum);
            }
            sample(histories);
        }

        assertThat(recorded(histories)).hasSize(3);
        assertThat(recorded(histories))
                .allSatisfy(each -> assertThat(column(histories, each, DestinationColumn.ATTEMPTS))
                        .hasSize(4));
    }

    @Test
    void isOffWithoutDestinationsOrTime() {
        assertThat(new DestinationHistories(0, HOUR).isOff()).isTrue();
        assertThat(new DestinationHistories(5, 0).isOff()).isTrue();
        assertThat(new DestinationHistories(5, HOUR).isOff()).isFalse();
    }

    private void sample(DestinationHistories histories, Map<String, Long> calls) {
        calls.forEach((name, count) -> attempts.merge(name, count, Long::sum));
        sample(histories);
    }

    private void sample(DestinationHistories histories, String name, long calls) {
        attempts.merge(name, calls, Long::sum);
        sample(histories);
    }

    private void sample(DestinationHistories histories) {
        seconds += 5;
        List<DestinationStatus> statuses = new ArrayList<>();
        attempts.forEach((name, count) -> statuses.add(TestStatuses.destination(
                name,
                "limit",
                10,
                "breaker",
                breaker,
                "attempts",
                new AttemptTotals(count, count, errors.getOrDefault(name, 0L), null))));
        List<DestinationAttempts> ended = durations.entrySet().stream()
                .map(each -> new DestinationAttempts(
                        each.getKey(), Map.of(), Map.of(), Map.of(), Map.of(), 0, each.getValue()))
                .toList();
        histories.add(seconds * 1_000, TimeUnit.SECONDS.toNanos(seconds), statuses, ended);
    }

    private List<String> recorded(DestinationHistories histories) {
        return attempts.keySet().stream()
                .filter(name -> histories.samples(name).size() > 0)
                .sorted()
                .toList();
    }

    private static List<Float> column(DestinationHistories histories, String name, NamedColumn figure) {
        Samples samples = histories.samples(name);
        List<Float> column = new ArrayList<>();
        for (int row = 0; row < samples.size(); row++) {
            column.add(samples.value(row, figure.ordinal()));
        }
        return column;
    }
}

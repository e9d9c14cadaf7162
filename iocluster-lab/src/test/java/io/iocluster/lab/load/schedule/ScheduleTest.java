package io.iocluster.lab.load.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.load.TestExperiments;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {

    private static final long SECOND = 1_000_000_000L;

    @Test
    void aConstantRateSpacesTheCallsEvenly() {
        Schedule schedule = TestExperiments.schedule("shape: constant, rate: 4/s, duration: 2s");

        assertThat(dues(schedule))
                .containsExactly(
                        0L,
                        250_000_000L,
                        500_000_000L,
                        750_000_000L,
                        1_000_000_000L,
                        1_250_000_000L,
                        1_500_000_000L,
                        1_750_000_000L);
        assertThat(schedule.durationNanos()).isEqualTo(2 * SECOND);
    }

    @Test
    void aRampSendsHalfOfItsRateTimesItsDuration() {
        Schedule schedule = TestExperiments.schedule("shape: ramp, from: 1/m, to: 100/s, duration: 10s");

        assertThat(schedule.calls()).isBetween(500L, 501L);
        assertThat(schedule.callsBefore(5 * SECOND)).isBetween(125L, 126L);
    }

    @Test
    void stepsHoldEachRateEquallyLong() {
        Schedule schedule = TestExperiments.schedule("shape: step, from: 10/s, to: 30/s, steps: 3, duration: 3s");

        assertThat(callsInSecond(schedule, 0)).isEqualTo(10);
        assertThat(callsInSecond(schedule, 1)).isEqualTo(20);
        assertThat(callsInSecond(schedule, 2)).isEqualTo(30);
    }

    @Test
    void aSpikeIsInTheMiddleThird() {
        Schedule schedule = TestExperiments.schedule("shape: spike, from: 10/s, to: 200/s, duration: 3s");

        assertThat(callsInSecond(schedule, 0)).isEqualTo(10);
        assertThat(callsInSecond(schedule, 1)).isEqualTo(200);
        assertThat(callsInSecond(schedule, 2)).isEqualTo(10);
    }

    @Test
    void aSineStartsAtItsLowestRateAndHasItsMeanOverAPeriod() {
        Schedule schedule = TestExperiments.schedule("shape: sine, from: 10/s, to: 90/s, period: 4s, duration: 8s");

        assertThat(schedule.calls()).isEqualTo(400);
        assertThat(schedule.callsBefore(4 * SECOND)).isEqualTo(200);
        assertThat(callsInSecond(schedule, 0)).isLessThan(30);
        assertThat(callsInSecond(schedule, 1)).isGreaterThan(70);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "shape: constant, rate: 7/s, duration: 5s",
                "shape: ramp, from: 20/s, to: 1700/s, duration: 5s",
                "shape: ramp, from: 1700/s, to: 20/s, duration: 5s",
                "shape: step, from: 20/s, to: 300/s, steps: 4, duration: 5s",
                "shape: spike, from: 20/s, to: 300/s, duration: 5s",
                "shape: sine, from: 20/s, to: 300/s, period: 2s, duration: 5s"
            })
    void everyCallIsDueWhenTheRateSaysSo(String phase) {
        Schedule schedule = TestExperiments.schedule(phase);
        List<Long> dues = dues(schedule);

        assertThat(dues).isSorted().allSatisfy(due -> assertThat(due).isLessThan(5 * SECOND));
        for (int call = 0; call < dues.size(); call++) {
            assertThat(schedule.expectedCalls(dues.get(call)))
                    .isCloseTo(call, org.assertj.core.data.Offset.offset(1e-4));
            assertThat(schedule.callAt(dues.get(call))).isEqualTo(call);
        }
        assertThat(schedule.callsBefore(Long.MAX_VALUE / 2)).isEqualTo(schedule.calls());
    }

    @Test
    void theSharesOfAllAgentsAreTheWholeSchedule() {
        Schedule all = TestExperiments.schedule("shape: ramp, from: 10/s, to: 103/s, duration: 3s");
        List<Long> dues = new ArrayList<>();
        for (int agent = 0; agent < 3; agent++) {
            dues.addAll(dues(all.every(3, agent)));
        }

        assertThat(dues).containsExactlyInAnyOrderElementsOf(dues(all));
    }

    private static List<Long> dues(Schedule schedule) {
        return LongStream.range(0, schedule.calls())
                .map(schedule::dueNanos)
                .boxed()
                .toList();
    }

    private static long callsInSecond(Schedule schedule, int second) {
        return schedule.callsBefore((second + 1) * SECOND) - schedule.callsBefore(second * SECOND);
    }
}

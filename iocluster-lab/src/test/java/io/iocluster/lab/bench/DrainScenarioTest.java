package io.iocluster.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DrainScenarioTest {

    @Test
    void ratesFollowFromTheTimesOfTheAnswers() {
        // 200 answers in 10 s while the JVM is cold, then 801 in 8 s.
        long[] cold = LongStream.rangeClosed(1, 200).map(answer -> 50 * answer).toArray();
        long[] warm = LongStream.rangeClosed(1, 801)
                .map(answer -> 10_000 + 10 * answer)
                .toArray();
        long[] times =
                LongStream.concat(LongStream.of(cold), LongStream.of(warm)).toArray();

        assertThat(DrainScenario.byTimestamps(times))
                .containsEntry("by timestamps calls/s", 1_000 * 1e3 / (18_010 - 50))
                .containsEntry("by timestamps steady calls/s", 100.0);
    }

    @Test
    void thereAreNoRatesWithoutTimes() {
        assertThat(DrainScenario.byTimestamps(new long[0])).isEqualTo(Map.of());
    }
}

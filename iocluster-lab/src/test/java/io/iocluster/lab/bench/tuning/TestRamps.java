package io.iocluster.lab.bench.tuning;

import io.iocluster.lab.bench.tuning.RampResult.RampSample;
import io.iocluster.lab.bench.tuning.RampResult.SizeChange;
import java.util.List;
import java.util.stream.IntStream;

/** Ramps of two steps of a minute, 100 and 200 calls a second, for tests to look at. */
final class TestRamps {

    private TestRamps() {}

    /** One whose lag is the calls of a second at least until so many seconds after the second step. */
    static RampResult behindUntil(String advisor, int seconds, double cpu, SizeChange... turns) {
        List<RampSample> moments = IntStream.rangeClosed(1, 120)
                .mapToObj(second -> new RampSample(
                        second,
                        second > 60 && second <= 60 + seconds ? 5_000 : 10,
                        second <= 60 ? 100 : 200,
                        20,
                        50 * (1 + turns.length),
                        cpu))
                .toList();
        return new RampResult(advisor, List.of(100, 200), 60, moments, List.of(turns), 18_000, 1_000_000, 1 << 20, 0);
    }
}

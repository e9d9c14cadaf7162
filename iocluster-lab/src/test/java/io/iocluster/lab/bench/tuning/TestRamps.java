package io.iocluster.lab.bench.tuning;

import io.iocluster.lab.bench.tuning.RampResult.RampSample;
import io.iocluster.lab.bench.tuning.RampResult.SizeChange;
import java.util.List;
import java.util.stream.IntStream;

/** Ramps with two steps of one minute, at 100 and 200 calls per second. */
final class TestRamps {

    private TestRamps() {}

    /** Creates a ramp whose lag is at least one second of calls until {@code seconds} after the second step. */
    static RampResult behindUntil(String advisor, int seconds, double cpu, SizeChange... changes) {
        List<RampSample> moments = IntStream.rangeClosed(1, 120)
                .mapToObj(second -> new RampSample(
                        second,
                        second > 60 && second <= 60 + seconds ? 5_000 : 10,
                        second <= 60 ? 100 : 200,
                        20,
                        50 * (1 + changes.length),
                        cpu))
                .toList();
        return new RampResult(advisor, List.of(100, 200), 60, moments, List.of(changes), 18_000, 1_000_000, 1 << 20, 0);
    }
}

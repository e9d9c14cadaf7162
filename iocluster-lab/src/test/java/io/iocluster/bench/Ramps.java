package io.iocluster.bench;

import io.iocluster.bench.Ramp.Moment;
import io.iocluster.bench.Ramp.Turn;
import java.util.List;
import java.util.stream.IntStream;

/** Ramps of two steps of a minute, 100 and 200 calls a second, for tests to look at. */
final class Ramps {

    private Ramps() {}

    /** One whose lag is the calls of a second at least until so many seconds after the second step. */
    static Ramp behindUntil(String advisor, int seconds, double cpu, Turn... turns) {
        List<Moment> moments = IntStream.rangeClosed(1, 120)
                .mapToObj(second -> new Moment(
                        second,
                        second > 60 && second <= 60 + seconds ? 5_000 : 10,
                        second <= 60 ? 100 : 200,
                        20,
                        50 * (1 + turns.length),
                        cpu))
                .toList();
        return new Ramp(advisor, List.of(100, 200), 60, moments, List.of(turns), 18_000, 1_000_000, 1 << 20, 0);
    }
}

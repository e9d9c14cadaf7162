package io.iocluster.node.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.AttemptTotals;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.node.TestStatuses;
import io.iocluster.node.problem.ServiceTimes.Slowdown;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ServiceTimesTest {

    private final ServiceTimes times = new ServiceTimes(0);
    private final Map<String, Long> ended = new HashMap<>();
    private long second;

    @Test
    void findsTheDestinationWhoseAttemptsTakeLonger() {
        run(30, Map.of("slow", 0.05, "other", 0.1));

        Map<String, Slowdown> slow = run(12, Map.of("slow", 0.5, "other", 0.1));

        assertThat(slow).containsOnlyKeys("slow");
        assertThat(slow.get("slow").seconds()).isBetween(0.4, 0.51);
        assertThat(slow.get("slow").usualSeconds()).isBetween(0.05, 0.06);
    }

    @Test
    void findsNoneIfAllBecomeSlowBecauseOfTheNode() {
        run(30, Map.of("slow", 0.05, "other", 0.1));

        assertThat(run(12, Map.of("slow", 0.5, "other", 1.0))).isEmpty();
    }

    @Test
    void findsNoneWithoutAPast() {
        assertThat(run(5, Map.of("slow", 0.5, "other", 0.1))).isEmpty();
    }

    @Test
    void getsUsedToALastingChange() {
        run(30, Map.of("slow", 0.05, "other", 0.1));

        assertThat(run(600, Map.of("slow", 0.5, "other", 0.1))).containsOnlyKeys("slow");
        assertThat(run(6_000, Map.of("slow", 0.5, "other", 0.1))).isEmpty();
    }

    /** Runs for some seconds, with 100 attempts a second that take this long at each destination. */
    private Map<String, Slowdown> run(int seconds, Map<String, Double> durations) {
        Map<String, Slowdown> slow = Map.of();
        for (int i = 0; i < seconds; i++) {
            second++;
            List<DestinationStatus> all = new ArrayList<>();
            durations.forEach((name, duration) -> {
                long total = ended.merge(name, 100L, Long::sum);
                all.add(TestStatuses.destination(
                        name,
                        "inFlight",
                        (int) Math.round(100 * duration),
                        "attempts",
                        new AttemptTotals(total, total, 0, null)));
            });
            slow = times.update(all, TimeUnit.SECONDS.toNanos(second));
        }
        return slow;
    }
}

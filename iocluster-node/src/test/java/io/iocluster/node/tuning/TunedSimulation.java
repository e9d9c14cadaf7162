package io.iocluster.node.tuning;

import io.iocluster.node.config.TuningSettings;
import io.iocluster.node.config.TuningSettings.Mode;
import io.iocluster.testkit.time.ClockedPlatform;
import io.iocluster.testkit.time.FakeClock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/** A simulated node with an advisor, on a clock that the test controls. Confined to the test's thread. */
final class TunedSimulation {

    final QueueSimulation node = new QueueSimulation();
    TuningSettings settings = withMode(Mode.AUTO);
    private long seconds;
    private final Advisor advisor = new Advisor(
            () -> settings,
            node,
            node,
            new ClockedPlatform(new FakeClock(
                    () -> seconds * 1_000_000_000L,
                    () -> Instant.EPOCH.plusSeconds(seconds).toEpochMilli())));

    static TuningSettings withMode(Mode mode) {
        return limited(mode, 2_000, 2);
    }

    static TuningSettings limited(Mode mode, int maxInFlight, int maxThreads) {
        return new TuningSettings(
                mode,
                maxInFlight,
                maxThreads,
                80,
                Duration.ofSeconds(1),
                Duration.ofSeconds(30),
                Duration.ofSeconds(6));
    }

    /** Simulates this many seconds, with one evaluation in each. */
    void advance(int span) {
        for (int i = 0; i < span; i++) {
            seconds++;
            node.advance();
            advisor.runOnce();
        }
    }

    /** Simulates seconds until the condition holds. Returns their number; more than {@code limit} if it never held. */
    int secondsUntil(int limit, BooleanSupplier condition) {
        int passed = 0;
        while (passed <= limit && !condition.getAsBoolean()) {
            advance(1);
            passed++;
        }
        return passed;
    }

    TuningStatus status() {
        return advisor.status();
    }

    Advice advice() {
        return status().advice();
    }

    Verdict verdict() {
        return advice().verdict();
    }
}

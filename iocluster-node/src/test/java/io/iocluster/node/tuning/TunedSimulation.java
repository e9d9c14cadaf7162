package io.iocluster.node.tuning;

import io.iocluster.node.config.TuningSettings;
import io.iocluster.node.config.TuningSettings.Mode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.BooleanSupplier;

/** A simulated node with an advisor, on a clock that the test turns. */
final class TunedSimulation {

    final QueueSimulation node = new QueueSimulation();
    TuningSettings settings = in(Mode.AUTO);
    private long seconds;
    private final Advisor advisor = new Advisor(() -> settings, node, node, clock(), () -> seconds * 1_000_000_000L);

    static TuningSettings in(Mode mode) {
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

    /** Lets so many seconds pass; the advisor looks in each. */
    void pass(int span) {
        for (int i = 0; i < span; i++) {
            seconds++;
            node.pass();
            advisor.runOnce();
        }
    }

    /** How many seconds pass until it is so; more than the most if it never was. */
    int secondsUntil(int most, BooleanSupplier condition) {
        int passed = 0;
        while (passed <= most && !condition.getAsBoolean()) {
            pass(1);
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

    private Clock clock() {
        return new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                throw new UnsupportedOperationException();
            }

            @Override
            public Instant instant() {
                return Instant.EPOCH.plusSeconds(seconds);
            }
        };
    }
}

package io.iocluster.destination;

import io.iocluster.egress.Origin;
import io.iocluster.retry.RetryBudgetSettings;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Destinations in a node of the test's, with a clock that the test turns. */
final class DestinationsScene {

    static final BreakerSettings NO_BREAKER =
            new BreakerSettings(false, 50, 100, 20, Duration.ofSeconds(5), Duration.ofMinutes(1), 5);

    final FakeRoom room = new FakeRoom();
    final List<FakeCall> begun = new ArrayList<>();
    final List<FakeCall> expired = new ArrayList<>();
    final Destinations<FakeCall> all;
    private long nanos = Long.MAX_VALUE - 1;

    DestinationsScene(DestinationPolicy others, int most, DestinationSettings... entries) {
        all = new Destinations<>(List.of(entries), others, most, 75, room, host -> null, () -> nanos);
    }

    DestinationsScene(DestinationPolicy others) {
        this(others, 100);
    }

    FakeCall call() {
        return call(Duration.ofHours(10));
    }

    FakeCall call(Duration deadline) {
        return new FakeCall(room, nanos + deadline.toNanos());
    }

    Destination<FakeCall> at(String host) {
        return all.of(new Origin("https", host, 443));
    }

    /** A call that is admitted there at once. */
    FakeCall admitted(Destination<FakeCall> destination) {
        FakeCall call = call();
        if (destination.arrive(call) != Arrival.ADMITTED) {
            throw new AssertionError("was not admitted: " + destination.status());
        }
        return call;
    }

    void turn(Duration by) {
        pass(by);
        all.tick(expired::add, begun::add);
    }

    /** Time goes by, and nobody goes over the lines. */
    void pass(Duration by) {
        nanos += by.toNanos();
    }

    static DestinationPolicy policy(int maxInFlight, int waiting, BreakerSettings breaker) {
        return policy(maxInFlight, waiting, breaker, Rate.UNLIMITED, AdaptiveSettings.DEFAULTS);
    }

    static DestinationPolicy policy(
            int maxInFlight, int waiting, BreakerSettings breaker, Rate rate, AdaptiveSettings adaptive) {
        DestinationPolicy defaults = DestinationPolicy.DEFAULTS;
        RetrySettings retry = RetrySettings.DEFAULTS;
        return new DestinationPolicy(
                maxInFlight,
                2,
                waiting,
                Duration.ofMillis(200),
                defaults.whenFull(),
                rate,
                defaults.timeout(),
                defaults.deadline(),
                defaults.credential(),
                defaults.connectTimeout(),
                defaults.http2(),
                defaults.compression(),
                defaults.tls(),
                defaults.proxy(),
                new RetrySettings(
                        retry.maxAttempts(),
                        retry.baseDelay(),
                        retry.maxDelay(),
                        retry.delayedAfter(),
                        retry.statuses(),
                        retry.codes(),
                        retry.maxPause(),
                        new RetryBudgetSettings(50, 0)),
                breaker,
                adaptive);
    }
}

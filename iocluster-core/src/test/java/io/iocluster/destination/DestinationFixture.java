package io.iocluster.destination;

import io.iocluster.destination.policy.AdaptiveConcurrencySettings;
import io.iocluster.destination.policy.BreakerSettings;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.egress.Origin;
import io.iocluster.retry.RetryBudgetSettings;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Destinations in a node of the test's, with a clock that the test turns. */
public final class DestinationFixture {

    static final BreakerSettings NO_BREAKER =
            new BreakerSettings(false, 50, 100, 20, Duration.ofSeconds(5), Duration.ofMinutes(1), 5);

    final FakeNodeCapacity room = new FakeNodeCapacity();
    public final List<FakePendingCall> begun = new ArrayList<>();
    final List<FakePendingCall> expired = new ArrayList<>();
    final DestinationRegistry<FakePendingCall> all;
    private long nanos = Long.MAX_VALUE - 1;
    private boolean ticking;

    DestinationFixture(DestinationPolicy others, int most, DestinationSettings... entries) {
        all = new DestinationRegistry<>(
                List.of(entries), others, most, 75, room, this::start, host -> null, () -> nanos);
    }

    private void start(FakePendingCall call) {
        if (ticking) {
            begun.add(call);
        }
    }

    public DestinationFixture(DestinationPolicy others) {
        this(others, 100);
    }

    public FakePendingCall call() {
        return call(Duration.ofHours(10));
    }

    FakePendingCall call(Duration deadline) {
        return new FakePendingCall(room, nanos + deadline.toNanos());
    }

    public Destination<FakePendingCall> at(String host) {
        return all.destinationFor(new Origin("https", host, 443));
    }

    /** A call that is admitted there at once. */
    public FakePendingCall admitted(Destination<FakePendingCall> destination) {
        FakePendingCall call = call();
        if (destination.offer(call) != Admission.ADMITTED) {
            throw new AssertionError("was not admitted: " + destination.status());
        }
        return call;
    }

    /** Grants the next queued call. Returns null if none can be granted. */
    public FakePendingCall grantNext(Destination<FakePendingCall> destination) {
        return destination.grantNext();
    }

    public void turn(Duration by) {
        pass(by);
        ticking = true;
        all.tick(expired::add);
        ticking = false;
    }

    /** Time goes by, and nobody goes over the lines. */
    void pass(Duration by) {
        nanos += by.toNanos();
    }

    public static DestinationPolicy policy(int maxInFlight, int waiting, BreakerSettings breaker) {
        return policy(maxInFlight, waiting, breaker, Rate.UNLIMITED, AdaptiveConcurrencySettings.DEFAULTS);
    }

    static DestinationPolicy policy(
            int maxInFlight, int waiting, BreakerSettings breaker, Rate rate, AdaptiveConcurrencySettings adaptive) {
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
                        retry.maxRetryAfter(),
                        new RetryBudgetSettings(50, 0)),
                breaker,
                adaptive);
    }
}

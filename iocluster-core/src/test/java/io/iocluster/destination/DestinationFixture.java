package io.iocluster.destination;

import io.iocluster.destination.operator.OperatorAction;
import io.iocluster.destination.policy.AdaptiveConcurrencySettings;
import io.iocluster.destination.policy.BreakerSettings;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.egress.Origin;
import io.iocluster.retry.RetryBudgetSettings;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.Rate;
import io.iocluster.settings.StatusPattern;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.testkit.time.FakeClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;

/** The destinations of a fake node, with a clock that the test controls. */
public final class DestinationFixture {

    /** The default of {@code failure-statuses}. */
    public static final List<StatusPattern> FAILURES = BreakerSettings.DEFAULTS.failureStatuses();

    static final BreakerSettings NO_BREAKER =
            new BreakerSettings(false, 50, 100, 20, Duration.ofSeconds(5), Duration.ofMinutes(1), 5, FAILURES, false);

    final FakeNodeCapacity node = new FakeNodeCapacity();
    /** Calls that started during {@link #advance}. */
    public final List<FakePendingCall> started = new ArrayList<>();

    /** Calls that waited and started at another time. */
    private final Queue<FakePendingCall> dispatched = new ArrayDeque<>();

    final List<FakePendingCall> expired = new ArrayList<>();
    final DestinationRegistry<FakePendingCall> registry;
    /** What the wall clock shows, always. */
    public static final Instant WALL_TIME = Instant.ofEpochSecond(1_750_000_000);

    private long nanos = Long.MAX_VALUE - 1;
    private boolean ticking;
    private Runnable onNextClockReading = () -> {};

    DestinationFixture(DestinationPolicy defaultPolicy, int maxDestinations, DestinationSettings... entries) {
        registry = new DestinationRegistry<>(
                List.of(entries),
                defaultPolicy,
                maxDestinations,
                75,
                node,
                this::start,
                host -> null,
                new FakeClock(this::readClock, WALL_TIME::toEpochMilli),
                new Random(1));
    }

    private long readClock() {
        Runnable action = onNextClockReading;
        onNextClockReading = () -> {};
        action.run();
        return nanos;
    }

    /** Runs an action when the clock is read the next time, as another thread could. */
    void onNextClockReading(Runnable action) {
        onNextClockReading = action;
    }

    private void start(FakePendingCall call) {
        if (ticking) {
            started.add(call);
        } else if (call.visits > 0) {
            dispatched.add(call);
        }
    }

    public DestinationFixture(DestinationPolicy defaultPolicy) {
        this(defaultPolicy, 100);
    }

    public FakePendingCall call() {
        return call(Duration.ofHours(10));
    }

    FakePendingCall call(Duration deadline) {
        return new FakePendingCall(node, nanos + deadline.toNanos());
    }

    public Destination<FakePendingCall> at(String host) {
        return registry.destinationFor(new Origin("https", host, 443));
    }

    /** Offers a call and returns it. Fails if it is not admitted at once. */
    public FakePendingCall admitted(Destination<FakePendingCall> destination) {
        FakePendingCall call = call();
        if (destination.offer(call) != Admission.ADMITTED) {
            throw new AssertionError("call was not admitted: " + destination.status());
        }
        return call;
    }

    /** Does what an operator asks for. */
    public Optional<DestinationStatus> act(String destination, OperatorAction action) {
        return registry.apply(destination, action);
    }

    /** Reloads the policy of all destinations without an entry. */
    public void updateDefaultPolicy(DestinationPolicy policy) {
        registry.updatePolicies(List.of(), policy);
    }

    /** Lets waiting calls start. Returns the next one that has started; null if none has. */
    public FakePendingCall grantNext(Destination<FakePendingCall> destination) {
        destination.dispatchWaiting();
        return dispatched.poll();
    }

    /** Advances the clock and calls {@link DestinationRegistry#tick}. */
    public void advance(Duration by) {
        advanceWithoutTick(by);
        ticking = true;
        registry.tick(expired::add);
        ticking = false;
    }

    /** Advances the clock only. */
    public void advanceWithoutTick(Duration by) {
        nanos += by.toNanos();
    }

    public static DestinationPolicy policy(int maxInFlight, int waiting, BreakerSettings breaker) {
        return policy(maxInFlight, waiting, breaker, Rate.UNLIMITED, AdaptiveConcurrencySettings.DEFAULTS);
    }

    /** Returns a policy without a breaker. */
    static DestinationPolicy policy(List<StatusPattern> expected) {
        return policy(0, 10, NO_BREAKER, Rate.UNLIMITED, AdaptiveConcurrencySettings.DEFAULTS, expected);
    }

    static DestinationPolicy policy(
            int maxInFlight, int waiting, BreakerSettings breaker, Rate rate, AdaptiveConcurrencySettings adaptive) {
        return policy(maxInFlight, waiting, breaker, rate, adaptive, List.of());
    }

    private static DestinationPolicy policy(
            int maxInFlight,
            int waiting,
            BreakerSettings breaker,
            Rate rate,
            AdaptiveConcurrencySettings adaptive,
            List<StatusPattern> expected) {
        DestinationPolicy defaults = DestinationPolicy.DEFAULTS;
        RetrySettings retry = RetrySettings.DEFAULTS;
        return RecordCopy.with(
                defaults,
                "maxInFlight",
                maxInFlight,
                "borrowFactor",
                2,
                "maxWaiting",
                waiting,
                "backpressureTimeout",
                Duration.ofMillis(200),
                "rate",
                rate,
                "retry",
                RecordCopy.with(retry, "budget", new RetryBudgetSettings(50, 0)),
                "expectedStatuses",
                expected,
                "breaker",
                breaker,
                "adaptiveConcurrency",
                adaptive);
    }
}

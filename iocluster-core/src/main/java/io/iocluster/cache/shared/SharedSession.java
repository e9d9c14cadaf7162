package io.iocluster.cache.shared;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.core.IntervalFunction;
import io.iocluster.thread.FutureTimeout;
import io.iocluster.thread.MonotonicClock;
import io.iocluster.thread.Platform;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The use of one store with one configuration: its limits, its breaker and its outages. Thread-safe. */
final class SharedSession implements SharedStore.Listener, AutoCloseable {

    private static final int BREAKER_WINDOW = 20;
    private static final int BREAKER_MINIMUM = 10;
    private static final float BREAKER_PERCENT = 50;
    /** One probe, because each probe of a slow store makes a call wait. */
    private static final int BREAKER_PROBES = 1;

    private static final Duration BREAKER_PAUSE = Duration.ofSeconds(1);
    private static final Duration BREAKER_LONGEST_PAUSE = Duration.ofSeconds(10);

    /** A write that takes longer counts as failed, so that its memory is free for others. No call waits for it. */
    private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(2);

    private final SharedCacheSettings settings;
    private final SharedCacheCounters counters;
    private final SharedKey key;
    private final SharedEntryCodec codec;
    private final SharedOutage outage;
    private final SharedWriteProblem writeProblem;
    private final CircuitBreaker breaker;
    private final AtomicInteger lookups = new AtomicInteger();
    private final AtomicInteger writes = new AtomicInteger();
    private final AtomicLong writeBytes = new AtomicLong();
    private final SharedStore store;

    /** Ends lookups and writes whose time is over. */
    private final ScheduledExecutorService timer;

    private volatile boolean connected;
    private volatile String lastFailure = "";

    SharedSession(
            SharedCacheSettings settings,
            byte[] generation,
            SharedStore.Factory stores,
            SharedCacheCounters counters,
            Platform platform) {
        LongSupplier nanos = platform::nanos;
        this.settings = settings;
        this.counters = counters;
        this.key = new SharedKey(settings, generation);
        this.codec = new SharedEntryCodec(
                key, Math.toIntExact(settings.maxValueBytes().bytes()));
        this.outage = new SharedOutage(settings.redis().url(), nanos);
        this.writeProblem = new SharedWriteProblem(settings.redis().url(), nanos);
        this.breaker = CircuitBreaker.of(
                "shared-cache",
                CircuitBreakerConfig.custom()
                        .failureRateThreshold(BREAKER_PERCENT)
                        .slidingWindowType(CircuitBreakerConfig.SlidingWindowType.COUNT_BASED)
                        .slidingWindowSize(BREAKER_WINDOW)
                        .minimumNumberOfCalls(BREAKER_MINIMUM)
                        .permittedNumberOfCallsInHalfOpenState(BREAKER_PROBES)
                        .waitIntervalFunctionInOpenState(
                                IntervalFunction.ofExponentialBackoff(BREAKER_PAUSE, 2, BREAKER_LONGEST_PAUSE))
                        .writableStackTraceEnabled(false)
                        .clock(new MonotonicClock(nanos))
                        .build());
        breaker.getEventPublisher()
                .onStateTransition(
                        change -> breakerChanged(change.getStateTransition().getToState()));
        this.timer = platform.newScheduler("iocluster-shared-cache");
        // The last step, because the store may connect at once.
        this.store = open(stores);
    }

    /** Returns null if the store cannot be opened. It is then never connected, and nothing uses it. */
    private SharedStore open(SharedStore.Factory stores) {
        try {
            return stores.open(settings, this);
        } catch (RuntimeException failed) {
            connected = false;
            outage.begin("cannot be opened; correct shared-cache: " + failed.getMessage());
            return null;
        }
    }

    private void breakerChanged(State now) {
        if (now == State.OPEN) {
            outage.begin("most lookups failed, the last one with: " + lastFailure);
        } else if (now == State.CLOSED && connected) {
            outage.end();
        }
    }

    @Override
    public void connected() {
        connected = true;
        breaker.reset();
        outage.end();
    }

    @Override
    public void disconnected(String reason) {
        connected = false;
        outage.begin(reason);
    }

    SharedKey key() {
        return key;
    }

    SharedEntryCodec codec() {
        return codec;
    }

    SharedStore store() {
        return store;
    }

    SharedCacheSettings settings() {
        return settings;
    }

    SharedCacheCounters counters() {
        return counters;
    }

    /** Reserves a lookup. Returns false if none may start now. */
    boolean tryReserve() {
        if (connected) {
            if (lookups.incrementAndGet() <= settings.maxInFlight() && breaker.tryAcquirePermission()) {
                return true;
            }
            lookups.decrementAndGet();
        }
        counters.count(SharedCacheResult.SKIPPED);
        return false;
    }

    /** Releases a reserved lookup that was not made. */
    void cancelReserved() {
        lookups.decrementAndGet();
        breaker.releasePermission();
        counters.count(SharedCacheResult.SKIPPED);
    }

    /**
     * Records the end of a reserved lookup.
     *
     * @param failure null if the store answered
     */
    void lookupEnded(SharedCacheResult result, long nanos, Throwable failure) {
        lookups.decrementAndGet();
        counters.count(result);
        counters.addNanos(nanos);
        if (failure == null) {
            breaker.onSuccess(nanos, TimeUnit.NANOSECONDS);
        } else {
            lastFailure = result == SharedCacheResult.TIMEOUT
                    ? "no answer within " + settings.timeout().toMillis() + "ms"
                    : store.explain(failure);
            breaker.onError(nanos, TimeUnit.NANOSECONDS, failure);
        }
    }

    /** Returns whether writes are made at all now. */
    boolean canWrite() {
        return connected && breaker.getState() == State.CLOSED;
    }

    /**
     * Makes a write if its limits allow it.
     *
     * @param bytes the memory that it holds
     */
    void write(long bytes, Supplier<CompletableFuture<?>> operation) {
        if (!canWrite() || !tryReserveWrite(bytes)) {
            counters.count(SharedWriteResult.SKIPPED);
            return;
        }
        CompletableFuture<?> written;
        try {
            written = operation.get();
        } catch (RuntimeException failed) {
            written = CompletableFuture.failedFuture(failed);
        }
        FutureTimeout.failAfter(written, WRITE_TIMEOUT, timer);
        written.whenComplete((nothing, failure) -> {
            writes.decrementAndGet();
            writeBytes.addAndGet(-bytes);
            if (failure == null) {
                counters.count(SharedWriteResult.WRITTEN);
                writeProblem.succeeded();
            } else {
                counters.count(SharedWriteResult.ERROR);
                writeProblem.failed(
                        failure instanceof TimeoutException
                                ? "no answer within " + WRITE_TIMEOUT.toSeconds() + "s"
                                : store.explain(failure));
            }
        });
    }

    private boolean tryReserveWrite(long bytes) {
        if (writes.incrementAndGet() > settings.maxInFlight()) {
            writes.decrementAndGet();
            return false;
        }
        if (writeBytes.addAndGet(bytes) > settings.maxWriteBytes().bytes()) {
            writeBytes.addAndGet(-bytes);
            writes.decrementAndGet();
            return false;
        }
        return true;
    }

    SharedCacheStatus status() {
        return new SharedCacheStatus(
                settings.redis().url(),
                connected,
                breaker.getState() != State.CLOSED,
                outage.duration(),
                outage.reason(),
                writeProblem.reason(),
                lookups.get(),
                writes.get(),
                counters.lookups(),
                counters.writes(),
                counters.lookupNanos());
    }

    ScheduledExecutorService timer() {
        return timer;
    }

    /** Closes the store. The timeouts of the operations under way still end them. */
    @Override
    public void close() {
        connected = false;
        timer.shutdown();
        if (store != null) {
            store.close();
        }
    }
}

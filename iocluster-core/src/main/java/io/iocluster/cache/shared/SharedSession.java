package io.iocluster.cache.shared;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.core.IntervalFunction;
import io.iocluster.log.LogThrottle;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The use of one store with one configuration: its limits, its breaker and its outages. Thread-safe. */
final class SharedSession implements SharedStore.Listener, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SharedSession.class);

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
    private final LongSupplier nanos;
    private final LogThrottle outages;
    private final LogThrottle failedWrites;
    private final CircuitBreaker breaker;
    private final AtomicInteger lookups = new AtomicInteger();
    private final AtomicInteger writes = new AtomicInteger();
    private final AtomicLong writeBytes = new AtomicLong();
    private final SharedStore store;

    /** Ends lookups and writes whose time is over. */
    private final ScheduledExecutorService timer;

    /** Null while the cache can be used. Written under the lock. */
    private volatile Outage outage;

    /** Why the last write failed; null if it succeeded. */
    private volatile String writeProblem;

    @GuardedBy("this")
    private boolean connectedBefore;

    private volatile boolean connected;
    private volatile String lastFailure = "";

    private record Outage(String reason, long startNanos, boolean logged) {}

    SharedSession(
            SharedCacheSettings settings,
            byte[] generation,
            SharedStore.Factory stores,
            SharedCacheCounters counters,
            Platform platform) {
        this.nanos = platform::nanos;
        this.settings = settings;
        this.counters = counters;
        this.key = new SharedKey(settings, generation);
        this.codec = new SharedEntryCodec(
                key, Math.toIntExact(settings.maxValueBytes().bytes()));
        this.outages = new LogThrottle(LOG, nanos);
        this.failedWrites = new LogThrottle(LOG, Duration.ofMinutes(1), nanos);
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
            outageBegins("cannot be opened; correct shared-cache: " + failed.getMessage());
            return null;
        }
    }

    private void breakerChanged(State now) {
        if (now == State.OPEN) {
            outageBegins("most lookups failed, the last one with: " + lastFailure);
        } else if (now == State.CLOSED && connected) {
            outageEnds();
        }
    }

    @Override
    public void connected() {
        connected = true;
        breaker.reset();
        outageEnds();
    }

    @Override
    public void disconnected(String reason) {
        connected = false;
        outageBegins(reason);
    }

    private synchronized void outageBegins(String why) {
        if (outage == null) {
            outage = new Outage(why, nanos.getAsLong(), false);
            logOutage();
        }
    }

    /** Logs the outage once. Soon after the line of another outage it is not logged yet, and each skipped lookup tries again. */
    private synchronized void logOutage() {
        Outage now = outage;
        if (now != null && !now.logged()) {
            boolean logged = outages.warn(
                    "Shared cache not usable; calls are made without it address={} reason=\"{}\"",
                    settings.redis().url(),
                    now.reason());
            outage = new Outage(now.reason(), now.startNanos(), logged);
        }
    }

    private synchronized void outageEnds() {
        if (outage != null) {
            outages.over(
                    "Shared cache usable again address={} after={}ms",
                    settings.redis().url(),
                    durationOf(outage).toMillis());
            outage = null;
        } else if (!connectedBefore) {
            LOG.info("Shared cache connected address={}", settings.redis().url());
        }
        connectedBefore = true;
    }

    private Duration durationOf(Outage now) {
        return now == null ? Duration.ZERO : Duration.ofNanos(nanos.getAsLong() - now.startNanos());
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
        Outage now = outage;
        // A lookup is no event of the throttle, which would count it as suppressed.
        if (now != null && !now.logged() && outages.isDue()) {
            logOutage();
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
                writeSucceeded();
            } else {
                counters.count(SharedWriteResult.ERROR);
                writeFailed(
                        failure instanceof TimeoutException
                                ? "no answer within " + WRITE_TIMEOUT.toSeconds() + "s"
                                : store.explain(failure));
            }
        });
    }

    private void writeSucceeded() {
        if (writeProblem != null) {
            writeProblem = null;
            failedWrites.over(
                    "Shared cache stores responses again address={}",
                    settings.redis().url());
        }
    }

    private void writeFailed(String why) {
        writeProblem = why;
        failedWrites.warn(
                "Shared cache does not store responses, so other nodes do not find them address={} reason=\"{}\"",
                settings.redis().url(),
                why);
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
        Outage now = outage;
        return new SharedCacheStatus(
                settings.redis().url(),
                connected,
                breaker.getState() != State.CLOSED,
                durationOf(now),
                now == null ? null : now.reason(),
                writeProblem,
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

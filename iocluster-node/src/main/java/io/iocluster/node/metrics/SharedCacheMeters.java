package io.iocluster.node.metrics;

import io.iocluster.cache.shared.SharedCacheResult;
import io.iocluster.cache.shared.SharedCacheStatus;
import io.iocluster.cache.shared.SharedWriteResult;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** The meters of the cache that nodes share. They exist while one is configured. Thread-safe. */
public final class SharedCacheMeters implements MeterBinder {

    private final Supplier<Optional<SharedCacheStatus>> cache;
    private final List<Meter> meters = new ArrayList<>();
    private MeterRegistry registry;

    /** The latest status; never null while meters exist. */
    private volatile SharedCacheStatus status;

    /**
     * Creates the meters.
     *
     * @param cache returns the current status; empty if nodes share no cache
     */
    public SharedCacheMeters(Supplier<Optional<SharedCacheStatus>> cache) {
        this.cache = cache;
    }

    @Override
    public synchronized void bindTo(MeterRegistry target) {
        registry = target;
        update();
    }

    /** Updates the series, and adds or removes them if the configuration has changed. Call it before each scrape. */
    public synchronized void update() {
        Optional<SharedCacheStatus> now = cache.get();
        now.ifPresent(each -> status = each);
        if (now.isPresent() && meters.isEmpty()) {
            register();
        } else if (now.isEmpty()) {
            meters.forEach(registry::remove);
            meters.clear();
        }
    }

    private void register() {
        for (SharedCacheResult result : SharedCacheResult.values()) {
            meters.add(FunctionCounter.builder(
                            "iocluster.shared.cache.lookups",
                            this,
                            each -> each.status.lookups().get(result))
                    .description("Lookups in the cache that nodes share, by result")
                    .tag("result", result.wireName())
                    .register(registry));
        }
        for (SharedWriteResult result : SharedWriteResult.values()) {
            meters.add(FunctionCounter.builder(
                            "iocluster.shared.cache.writes",
                            this,
                            each -> each.status.writes().get(result))
                    .description("Writes to the cache that nodes share, by result")
                    .tag("result", result.wireName())
                    .register(registry));
        }
        meters.add(FunctionTimer.builder(
                        "iocluster.shared.cache.lookup",
                        this,
                        each -> each.status.lookupCount(),
                        each -> each.status.lookupNanos(),
                        TimeUnit.NANOSECONDS)
                .description("Duration of the lookups that were made")
                .register(registry));
        gauge("iocluster.shared.cache.connected", "1 while the store is connected", each -> each.connected() ? 1 : 0);
        gauge(
                "iocluster.shared.cache.breaker.open",
                "1 while lookups are skipped because the last ones failed",
                each -> each.breakerOpen() ? 1 : 0);
        gauge("iocluster.shared.cache.in.flight", "Lookups under way", SharedCacheStatus::inFlight);
    }

    private void gauge(String name, String description, ToDoubleFunction<SharedCacheStatus> value) {
        meters.add(Gauge.builder(name, this, each -> value.applyAsDouble(each.status))
                .description(description)
                .register(registry));
    }
}

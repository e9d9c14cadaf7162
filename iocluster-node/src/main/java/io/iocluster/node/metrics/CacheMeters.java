package io.iocluster.node.metrics;

import io.iocluster.cache.CacheResult;
import io.iocluster.cache.CacheStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * The meters of the caches: {@value #SERIES_PER_CACHE} series for each cache. A cache that the configuration no longer has loses its series.
 * Thread-safe.
 */
public final class CacheMeters implements MeterBinder {

    static final int SERIES_PER_CACHE = 11;

    private final Supplier<List<CacheStatus>> caches;
    private final Map<String, Row> rows = new HashMap<>();
    private MeterRegistry registry;

    /**
     * Creates the meters.
     *
     * @param caches returns the current status of all caches
     */
    public CacheMeters(Supplier<List<CacheStatus>> caches) {
        this.caches = caches;
    }

    @Override
    public synchronized void bindTo(MeterRegistry target) {
        registry = target;
        update();
    }

    /** Updates all series, adds those of new caches, and removes those of others. Call it before each scrape. */
    public synchronized void update() {
        Set<String> removed = new HashSet<>(rows.keySet());
        for (CacheStatus cache : caches.get()) {
            removed.remove(cache.destination());
            Row row = rows.get(cache.destination());
            if (row == null) {
                rows.put(cache.destination(), new Row(registry, cache));
            } else {
                row.status = cache;
            }
        }
        removed.forEach(name -> rows.remove(name).remove(registry));
    }

    /** The series of one cache. */
    private static final class Row {

        private final List<Meter> meters = new ArrayList<>();
        private volatile CacheStatus status;

        Row(MeterRegistry registry, CacheStatus first) {
            status = first;
            for (CacheResult result : CacheResult.values()) {
                meters.add(FunctionCounter.builder("iocluster.cache.calls", this, row -> row.total(result))
                        .description("Calls that used the cache, by the source of their response")
                        .tag("destination", first.destination())
                        .tag("result", result.wireName())
                        .register(registry));
            }
            counter(
                    registry,
                    "iocluster.cache.refreshes",
                    "Attempts that refresh a response in the background",
                    CacheStatus::refreshes);
            counter(
                    registry,
                    "iocluster.cache.evictions",
                    "Entries removed because the cache was full",
                    CacheStatus::evictions);
            gauge(registry, "iocluster.cache.entries", "Entries of the cache", CacheStatus::entries);
            gauge(registry, "iocluster.cache.bytes", "Memory that the entries use", CacheStatus::bytes);
            gauge(registry, "iocluster.cache.bytes.limit", "Maximum memory of the entries", CacheStatus::maxBytes);
        }

        private void counter(
                MeterRegistry registry, String name, String description, ToDoubleFunction<CacheStatus> value) {
            meters.add(FunctionCounter.builder(name, this, row -> value.applyAsDouble(row.status))
                    .description(description)
                    .tag("destination", status.destination())
                    .register(registry));
        }

        private double total(CacheResult result) {
            return status.results().get(result);
        }

        private void gauge(
                MeterRegistry registry, String name, String description, ToDoubleFunction<CacheStatus> value) {
            meters.add(Gauge.builder(name, this, row -> value.applyAsDouble(row.status))
                    .description(description)
                    .tag("destination", status.destination())
                    .register(registry));
        }

        void remove(MeterRegistry registry) {
            meters.forEach(registry::remove);
        }
    }
}

package io.iocluster.node.metrics;

import io.iocluster.message.Outcome;
import io.iocluster.producer.AppStatus;
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
 * The meters of the apps: {@value #SERIES_PER_APP} series for each one that the node knows. An app that the node has forgotten loses its
 * series. Thread-safe.
 */
public final class AppMeters implements MeterBinder {

    static final int SERIES_PER_APP = 8;

    private final Supplier<List<AppStatus>> apps;
    private final Map<String, Row> rows = new HashMap<>();
    private MeterRegistry registry;

    /**
     * Creates the meters.
     *
     * @param apps returns the current status of all apps
     */
    public AppMeters(Supplier<List<AppStatus>> apps) {
        this.apps = apps;
    }

    @Override
    public synchronized void bindTo(MeterRegistry target) {
        registry = target;
        update();
    }

    /** Updates all series, adds those of new apps, and removes those of forgotten ones. Call it before each scrape. */
    public synchronized void update() {
        Set<String> forgotten = new HashSet<>(rows.keySet());
        for (AppStatus app : apps.get()) {
            forgotten.remove(app.name());
            Row row = rows.get(app.name());
            if (row == null) {
                rows.put(app.name(), new Row(registry, app));
            } else {
                row.status = app;
            }
        }
        forgotten.forEach(name -> rows.remove(name).remove(registry));
    }

    /** The series of one app. */
    private static final class Row {

        private final List<Meter> meters = new ArrayList<>();
        private volatile AppStatus status;

        Row(MeterRegistry registry, AppStatus first) {
            status = first;
            calls(registry, Outcome.ANSWERED, AppStatus::answered);
            calls(registry, Outcome.FAILED, AppStatus::failed);
            calls(registry, Outcome.REJECTED, AppStatus::rejected);
            calls(registry, Outcome.EXPIRED, AppStatus::expired);
            counter(
                    registry,
                    "iocluster.app.errors",
                    "Calls that were not answered, or with a 4xx or 5xx that is not expected",
                    AppStatus::errors);
            counter(
                    registry,
                    "iocluster.app.over.quota",
                    "Calls that failed because the app was over its quota",
                    AppStatus::overQuota);
            gauge(registry, "iocluster.app.in.flight", "Calls that the node works on", AppStatus::inFlight);
            gauge(registry, "iocluster.app.waiting", "Calls that wait for the quota of the app", AppStatus::waiting);
        }

        private void calls(MeterRegistry registry, Outcome outcome, ToDoubleFunction<AppStatus> value) {
            meters.add(FunctionCounter.builder("iocluster.app.calls", this, row -> value.applyAsDouble(row.status))
                    .description("Ended calls of the app")
                    .tag("app", status.name())
                    .tag("outcome", outcome.wireName())
                    .register(registry));
        }

        private void counter(
                MeterRegistry registry, String name, String description, ToDoubleFunction<AppStatus> value) {
            meters.add(FunctionCounter.builder(name, this, row -> value.applyAsDouble(row.status))
                    .description(description)
                    .tag("app", status.name())
                    .register(registry));
        }

        private void gauge(MeterRegistry registry, String name, String description, ToDoubleFunction<AppStatus> value) {
            meters.add(Gauge.builder(name, this, row -> value.applyAsDouble(row.status))
                    .description(description)
                    .tag("app", status.name())
                    .register(registry));
        }

        void remove(MeterRegistry registry) {
            meters.forEach(registry::remove);
        }
    }
}

package io.iocluster.door.meter;

import io.iocluster.door.status.DoorStatus.AppRow;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** The meters of the apps: six series for each one that the door knows. A forgotten app loses its series. Thread-safe. */
final class DoorAppMeters {

    private final MeterRegistry registry;
    private final Map<String, Series> apps = new HashMap<>();

    DoorAppMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Updates all series, adds those of new apps, and removes those of forgotten ones. */
    synchronized void update(List<AppRow> rows) {
        Set<String> forgotten = new HashSet<>(apps.keySet());
        for (AppRow row : rows) {
            forgotten.remove(row.name());
            Series series = apps.get(row.name());
            if (series == null) {
                apps.put(row.name(), new Series(registry, row));
            } else {
                series.row = row;
            }
        }
        forgotten.forEach(name -> apps.remove(name).remove(registry));
    }

    /** The series of one app. */
    private static final class Series {

        private final List<Meter> meters = new ArrayList<>();
        private volatile AppRow row;

        Series(MeterRegistry registry, AppRow first) {
            row = first;
            counter(registry, "calls", "Calls of the app that the door has started", AppRow::calls);
            counter(registry, "problems", "Problems that the app got instead of an answer", AppRow::problemsTotal);
            gauge(registry, "in.flight", "Calls of the app that the door works on now", AppRow::inFlight);
            gauge(registry, "kept.answers", "Kept answers to asynchronous calls of the app", AppRow::keptAnswers);
            gauge(registry, "kept.bytes", "Bytes of the kept answers of the app", AppRow::keptBytes);
            gauge(registry, "streams", "Open streams of answers of the app", AppRow::streams);
        }

        private void counter(MeterRegistry registry, String name, String description, ToDoubleFunction<AppRow> value) {
            meters.add(FunctionCounter.builder(
                            "iocluster.door.app." + name, this, series -> value.applyAsDouble(series.row))
                    .description(description)
                    .tag("app", row.name())
                    .register(registry));
        }

        private void gauge(MeterRegistry registry, String name, String description, ToDoubleFunction<AppRow> value) {
            meters.add(Gauge.builder("iocluster.door.app." + name, this, series -> value.applyAsDouble(series.row))
                    .description(description)
                    .tag("app", row.name())
                    .register(registry));
        }

        void remove(MeterRegistry registry) {
            meters.forEach(registry::remove);
        }
    }
}

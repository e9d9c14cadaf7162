package io.iocluster.node.metrics;

import io.iocluster.upstream.UpstreamStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * The meters of the upstreams: {@value #SERIES_PER_UPSTREAM} series for each upstream, up to a maximum number, and for the others of each
 * destination together. An upstream that its destination no longer has loses its series. Thread-safe.
 */
public final class UpstreamMeters implements MeterBinder {

    static final int SERIES_PER_UPSTREAM = 7;
    private static final String OTHER = "other";

    private final Supplier<List<UpstreamStatus>> upstreams;
    private final int maxUpstreams;
    private final Map<Key, Row> rows = new HashMap<>();
    private MeterRegistry registry;

    private record Key(String destination, String upstream) {}

    /**
     * Creates the meters.
     *
     * @param upstreams returns the current status of all upstreams
     * @param maxUpstreams maximum number of upstreams with their own series
     */
    public UpstreamMeters(Supplier<List<UpstreamStatus>> upstreams, int maxUpstreams) {
        this.upstreams = upstreams;
        this.maxUpstreams = maxUpstreams;
    }

    @Override
    public synchronized void bindTo(MeterRegistry target) {
        registry = target;
        update();
    }

    /** Updates all series, adds those of new upstreams, and removes those of others. Call it before each scrape. */
    public synchronized void update() {
        Map<Key, List<UpstreamStatus>> groups = groups(upstreams.get());
        Set<Key> removed = new HashSet<>(rows.keySet());
        removed.removeAll(groups.keySet());
        removed.forEach(key -> rows.remove(key).remove(registry));
        groups.forEach((key, members) -> {
            Row row = rows.get(key);
            if (row == null) {
                rows.put(key, new Row(registry, key, members));
            } else {
                row.members = members;
            }
        });
    }

    /** Assigns each upstream to its series. One that has its own keeps them. */
    private Map<Key, List<UpstreamStatus>> groups(List<UpstreamStatus> all) {
        Map<Key, List<UpstreamStatus>> groups = new LinkedHashMap<>();
        List<UpstreamStatus> unassigned = new ArrayList<>();
        for (UpstreamStatus each : all) {
            Key key = new Key(each.destination(), each.upstream());
            if (rows.containsKey(key)) {
                groups.put(key, List.of(each));
            } else {
                unassigned.add(each);
            }
        }
        int free = maxUpstreams - groups.size();
        for (UpstreamStatus each : unassigned) {
            String label = free-- > 0 ? each.upstream() : OTHER;
            groups.computeIfAbsent(new Key(each.destination(), label), key -> new ArrayList<>())
                    .add(each);
        }
        return groups;
    }

    /** The series of one upstream, or of several together. */
    private static final class Row {

        private final List<Meter> meters = new ArrayList<>();
        private volatile List<UpstreamStatus> members;

        Row(MeterRegistry registry, Key key, List<UpstreamStatus> first) {
            members = first;
            attempts(registry, key, "success", UpstreamStatus::successes);
            attempts(registry, key, "failure", UpstreamStatus::failures);
            attempts(registry, key, "ignored", UpstreamStatus::ignored);
            meters.add(FunctionCounter.builder(
                            "iocluster.upstream.ejections", this, row -> row.sum(UpstreamStatus::ejections))
                    .description("How often the upstream was ejected because it failed")
                    .tag("destination", key.destination())
                    .tag("upstream", key.upstream())
                    .register(registry));
            gauge(registry, key, "in.flight", "Attempts in flight", row -> row.sum(UpstreamStatus::inFlight));
            gauge(
                    registry,
                    key,
                    "out",
                    "1 while the upstream gets no calls, because it is ejected or unhealthy, else 0",
                    row -> row.sum(each -> each.isOut() ? 1 : 0));
            gauge(
                    registry,
                    key,
                    "latency.seconds",
                    "Recent latency that selections compare; 0 if no attempt has ended yet",
                    row -> row.max(UpstreamStatus::latencyMillis) / 1_000);
        }

        private double sum(ToDoubleFunction<UpstreamStatus> value) {
            return members.stream().mapToDouble(value).sum();
        }

        private double max(ToDoubleFunction<UpstreamStatus> value) {
            return members.stream().mapToDouble(value).max().orElse(0);
        }

        private void attempts(MeterRegistry registry, Key key, String result, ToDoubleFunction<UpstreamStatus> value) {
            meters.add(FunctionCounter.builder("iocluster.upstream.attempts", this, row -> row.sum(value))
                    .description("Ended attempts, by what they say about the upstream")
                    .tag("destination", key.destination())
                    .tag("upstream", key.upstream())
                    .tag("result", result)
                    .register(registry));
        }

        private void gauge(
                MeterRegistry registry, Key key, String name, String description, ToDoubleFunction<Row> value) {
            meters.add(Gauge.builder("iocluster.upstream." + name, this, value)
                    .description(description)
                    .tag("destination", key.destination())
                    .tag("upstream", key.upstream())
                    .register(registry));
        }

        void remove(MeterRegistry registry) {
            meters.forEach(registry::remove);
        }
    }
}

package io.iocluster.node.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The counters of one metric and destination, one for each value of a further label. Counters are created on first use,
 * up to a limit; further values share the value {@code other}. Thread-safe.
 */
final class CounterFamily {

    private static final String OTHER = "other";

    private final MeterRegistry registry;
    private final String name;
    private final String description;
    private final String destination;
    private final String label;
    private final int maxValues;
    private final Map<String, Counter> counters = new ConcurrentHashMap<>();

    @GuardedBy("this")
    private boolean removed;

    /**
     * Creates a family without counters.
     *
     * @param destination the value of the label {@code destination}
     * @param label the name of the further label
     * @param maxValues maximum number of its values, {@code other} excluded
     */
    CounterFamily(
            MeterRegistry registry, String name, String description, String destination, String label, int maxValues) {
        this.registry = registry;
        this.name = name;
        this.description = description;
        this.destination = destination;
        this.label = label;
        this.maxValues = maxValues;
    }

    void increment(String value) {
        // A plain get first, because an existing counter needs no lock.
        Counter counter = counters.get(value);
        (counter == null ? find(value) : counter).increment();
    }

    private synchronized Counter find(String value) {
        String used = counters.containsKey(value) || counters.size() < maxValues ? value : OTHER;
        Counter known = counters.get(used);
        if (known != null) {
            return known;
        }
        Counter counter = Counter.builder(name)
                .description(description)
                .tag("destination", destination)
                .tag(label, used)
                .register(registry);
        if (removed) {
            // An event after the removal must not restore the series; it is not counted.
            registry.remove(counter);
        } else {
            counters.put(used, counter);
        }
        return counter;
    }

    /** Returns the counts by value of the label. */
    Map<String, Long> counts() {
        Map<String, Long> counts = new TreeMap<>();
        counters.forEach((value, counter) -> counts.put(value, (long) counter.count()));
        return counts;
    }

    /** Removes the series from the registry permanently. */
    synchronized void remove() {
        removed = true;
        counters.values().forEach(registry::remove);
    }
}

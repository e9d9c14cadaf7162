package io.iocluster.cache.shared;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts lookups and writes of the shared cache since the start. Thread-safe. */
final class SharedCacheCounters {

    private final Map<SharedCacheResult, LongAdder> lookups = adders(SharedCacheResult.class);
    private final Map<SharedWriteResult, LongAdder> writes = adders(SharedWriteResult.class);
    private final LongAdder lookupNanos = new LongAdder();

    private static <E extends Enum<E>> Map<E, LongAdder> adders(Class<E> results) {
        Map<E, LongAdder> adders = new EnumMap<>(results);
        for (E each : results.getEnumConstants()) {
            adders.put(each, new LongAdder());
        }
        return adders;
    }

    void count(SharedCacheResult result) {
        lookups.get(result).increment();
    }

    void count(SharedWriteResult result) {
        writes.get(result).increment();
    }

    /** Adds the duration of a lookup. */
    void addNanos(long nanos) {
        lookupNanos.add(nanos);
    }

    long lookupNanos() {
        return lookupNanos.sum();
    }

    Map<SharedCacheResult, Long> lookups() {
        return sums(SharedCacheResult.class, lookups);
    }

    Map<SharedWriteResult, Long> writes() {
        return sums(SharedWriteResult.class, writes);
    }

    private static <E extends Enum<E>> Map<E, Long> sums(Class<E> results, Map<E, LongAdder> adders) {
        Map<E, Long> sums = new EnumMap<>(results);
        adders.forEach((result, adder) -> sums.put(result, adder.sum()));
        return sums;
    }
}

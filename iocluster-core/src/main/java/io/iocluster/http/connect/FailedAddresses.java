package io.iocluster.http.connect;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers which addresses did not connect, so that the next connect tries them last. Bounded: a full memory forgets
 * the oldest failure. Confined to one event loop.
 */
public final class FailedAddresses {

    /** About as long as a target needs for its failover, for example after a load balancer's health check. */
    private static final Duration DEFAULT_MEMORY = Duration.ofSeconds(30);
    /** A full memory takes about 1 MB. */
    private static final int DEFAULT_MAX_ADDRESSES = 10_000;

    private final int maxAddresses;
    private final long memoryNanos;
    /** Value: when the address failed. The oldest failure first. */
    private final Map<InetSocketAddress, Long> failures = new LinkedHashMap<>();

    /** Creates a memory of 30 seconds for at most 10,000 addresses. */
    public FailedAddresses() {
        this(DEFAULT_MAX_ADDRESSES, DEFAULT_MEMORY);
    }

    /**
     * Creates an empty memory.
     *
     * @param maxAddresses at least 1
     * @param memory how long a failure is remembered, positive
     */
    public FailedAddresses(int maxAddresses, Duration memory) {
        this.maxAddresses = maxAddresses;
        this.memoryNanos = memory.toNanos();
    }

    /** Remembers a failure. Times are those of a monotonic clock, in nanoseconds. */
    void add(InetSocketAddress address, long nowNanos) {
        failures.remove(address); // put() alone would not move the entry to the end.
        failures.put(address, nowNanos);
        if (failures.size() > maxAddresses) {
            Iterator<InetSocketAddress> oldest = failures.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    /** Forgets the address, because it connected. */
    void remove(InetSocketAddress address) {
        failures.remove(address);
    }

    /** Returns whether the address failed recently. */
    boolean contains(InetSocketAddress address, long nowNanos) {
        Long failedAt = failures.get(address);
        if (failedAt == null) {
            return false;
        }
        if (nowNanos - failedAt < memoryNanos) {
            return true;
        }
        failures.remove(address);
        return false;
    }

    /** Returns the number of remembered addresses, including expired ones that no connect has asked for. */
    int size() {
        return failures.size();
    }
}

package io.iocluster.pipeline.publish;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Learns how large the results of each destination are, for messages that keep several. An estimate rises with a larger result at once,
 * and falls slowly with smaller ones. Thread-safe.
 */
public final class ResultSizes {

    /** Bounds the memory for names. The least recently used destination is learned again. */
    private static final int MAX_DESTINATIONS = 1_000;

    /** The part of the difference by which a smaller result lowers an estimate. */
    private static final int PART_OF_DIFFERENCE = 16;

    /** By the name of the destination, least recently used first. */
    @GuardedBy("this")
    private final Map<String, Long> estimates = new LinkedHashMap<>(16, 0.75f, true);

    /** Records a result of this many bytes. */
    synchronized void record(String destination, long bytes) {
        estimates.merge(
                destination,
                bytes,
                (before, size) -> size >= before ? size : before - (before - size) / PART_OF_DIFFERENCE);
        if (estimates.size() > MAX_DESTINATIONS) {
            estimates.remove(estimates.keySet().iterator().next());
        }
    }

    /** Returns how many bytes to expect, or the given number if the destination has returned none. */
    public synchronized long expected(String destination, long unknown) {
        Long known = estimates.get(destination);
        return known == null ? unknown : known;
    }
}

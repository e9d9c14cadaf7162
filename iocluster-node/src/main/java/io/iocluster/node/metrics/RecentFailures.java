package io.iocluster.node.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.message.ErrorCode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps the latest failed calls, and counts failures by destination and error code. Bounded in number and in size, because the texts
 * are untrusted input. Thread-safe: its own lock, which answered calls never take.
 */
public final class RecentFailures {

    /** Destination under which the counts of evicted kinds are added up. */
    static final String OTHER = "other";

    private static final int MAX_ID_LENGTH = 200;
    private static final int MAX_MESSAGE_LENGTH = 500;
    private static final boolean ACCESS_ORDER = true;

    private final int limit;
    private final InstantSource clock;

    @GuardedBy("this")
    private final Deque<FailedCall> latest = new ArrayDeque<>();

    /** Least recently failed first. */
    @GuardedBy("this")
    private final Map<Kind, Long> counts = new LinkedHashMap<>(16, 0.75f, ACCESS_ORDER);

    @GuardedBy("this")
    private final Map<ErrorCode, Long> others = new EnumMap<>(ErrorCode.class);

    /**
     * Creates an empty record.
     *
     * @param limit maximum number of kept failures, and of kinds that are counted separately; 0 keeps nothing
     */
    RecentFailures(int limit, InstantSource clock) {
        this.limit = limit;
        this.clock = clock;
    }

    void add(String id, String destination, ErrorCode code, String message, int attempts) {
        if (limit == 0) {
            return;
        }
        FailedCall failure = new FailedCall(
                clock.instant(),
                truncate(id, MAX_ID_LENGTH),
                destination,
                code,
                truncate(message, MAX_MESSAGE_LENGTH),
                attempts);
        synchronized (this) {
            if (latest.size() == limit) {
                latest.removeLast();
            }
            latest.addFirst(failure);
            counts.merge(new Kind(destination, code), 1L, Long::sum);
            if (counts.size() > limit) {
                evictOldest();
            }
        }
    }

    @GuardedBy("this")
    private void evictOldest() {
        Map.Entry<Kind, Long> oldest = counts.entrySet().iterator().next();
        counts.remove(oldest.getKey());
        others.merge(oldest.getKey().code(), oldest.getValue(), Long::sum);
    }

    private static String truncate(String text, int maxLength) {
        if (text == null || text.length() <= maxLength) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(maxLength - 1)) ? maxLength - 1 : maxLength;
        return text.substring(0, end) + "…";
    }

    /** Returns the kept failures, latest first. */
    public synchronized List<FailedCall> latest() {
        return List.copyOf(latest);
    }

    /** Returns the counts since the start, most frequent first. */
    public synchronized List<FailureCount> counts() {
        List<FailureCount> all = new ArrayList<>();
        counts.forEach((kind, count) -> all.add(new FailureCount(kind.destination(), kind.code(), count)));
        others.forEach((code, count) -> all.add(new FailureCount(OTHER, code, count)));
        all.sort(Comparator.comparingLong(FailureCount::count).reversed());
        return all;
    }

    /**
     * A failed call.
     *
     * @param destination null if its URL could not be parsed
     * @param message the message of the answer, truncated to 500 characters
     */
    public record FailedCall(Instant at, String id, String destination, ErrorCode code, String message, int attempts) {}

    /**
     * Number of failures of one kind.
     *
     * @param destination null if the URLs could not be parsed; {@code other} for evicted kinds
     */
    public record FailureCount(String destination, ErrorCode code, long count) {}

    private record Kind(String destination, ErrorCode code) {}
}

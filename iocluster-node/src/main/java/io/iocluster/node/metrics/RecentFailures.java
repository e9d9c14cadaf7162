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
 * The latest calls that failed, and how many have failed of each kind. Bounded in number and in size, whatever senders write.
 * Guarded by its own lock, which calls that are answered never take.
 */
public final class RecentFailures {

    /** Where kinds are counted together for which there was no room. */
    static final String OTHER = "other";

    private static final int LONGEST_ID = 200;
    private static final int LONGEST_MESSAGE = 500;
    private static final boolean BY_ACCESS = true;

    private final int limit;
    private final InstantSource clock;

    @GuardedBy("this")
    private final Deque<FailedCall> latest = new ArrayDeque<>();

    /** The one that happened longest ago first. */
    @GuardedBy("this")
    private final Map<Kind, Long> counts = new LinkedHashMap<>(16, 0.75f, BY_ACCESS);

    @GuardedBy("this")
    private final Map<ErrorCode, Long> others = new EnumMap<>(ErrorCode.class);

    /**
     * None yet.
     *
     * @param limit most failures that are remembered, and most kinds that are told apart; 0 for none
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
                clock.instant(), cut(id, LONGEST_ID), destination, code, cut(message, LONGEST_MESSAGE), attempts);
        synchronized (this) {
            if (latest.size() == limit) {
                latest.removeLast();
            }
            latest.addFirst(failure);
            counts.merge(new Kind(destination, code), 1L, Long::sum);
            if (counts.size() > limit) {
                forgetOne();
            }
        }
    }

    @GuardedBy("this")
    private void forgetOne() {
        Map.Entry<Kind, Long> oldest = counts.entrySet().iterator().next();
        counts.remove(oldest.getKey());
        others.merge(oldest.getKey().code(), oldest.getValue(), Long::sum);
    }

    private static String cut(String text, int longest) {
        if (text == null || text.length() <= longest) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest;
        return text.substring(0, end) + "…";
    }

    /** The latest first. */
    public synchronized List<FailedCall> latest() {
        return List.copyOf(latest);
    }

    /** The most frequent first, counted since the start. */
    public synchronized List<FailureCount> counts() {
        List<FailureCount> all = new ArrayList<>();
        counts.forEach((kind, count) -> all.add(new FailureCount(kind.destination(), kind.code(), count)));
        others.forEach((code, count) -> all.add(new FailureCount(OTHER, code, count)));
        all.sort(Comparator.comparingLong(FailureCount::count).reversed());
        return all;
    }

    /**
     * One call that failed.
     *
     * @param destination null if its URL was never understood
     * @param message what its sender is told, cut where it is long
     */
    public record FailedCall(Instant at, String id, String destination, ErrorCode code, String message, int attempts) {}

    /**
     * How many failed so.
     *
     * @param destination null where URLs were never understood; {@code other} for all that are no longer told apart
     */
    public record FailureCount(String destination, ErrorCode code, long count) {}

    private record Kind(String destination, ErrorCode code) {}
}

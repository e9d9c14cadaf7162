package io.iocluster.node.window;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.message.ErrorCode;
import io.iocluster.status.StatusField;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Counts failures by destination and error code, and keeps the latest failed calls of each such kind. Bounded in number
 * and in size, because the texts are untrusted input. Many failures of one kind do not evict those of another.
 * Thread-safe: its own lock, which answered calls never take.
 */
public final class RecentFailures {

    /** Destination under which the counts of evicted kinds are added up. */
    static final String OTHER = "other";

    private static final int MAX_ID_LENGTH = 200;
    private static final int MAX_MESSAGE_LENGTH = 500;
    private static final boolean ACCESS_ORDER = true;

    private final int limit;
    private final InstantSource clock;

    /** Least recently failed first. */
    @GuardedBy("this")
    private final Map<Kind, Group> groups = new LinkedHashMap<>(16, 0.75f, ACCESS_ORDER);

    /** The evicted kinds, without their calls. */
    @GuardedBy("this")
    private final Map<ErrorCode, Group> others = new EnumMap<>(ErrorCode.class);

    /** Kept calls of all groups. */
    @GuardedBy("this")
    private int kept;

    /**
     * Creates an empty record.
     *
     * @param limit maximum number of kept failures, and of kinds that are counted separately; 0 keeps nothing
     */
    public RecentFailures(int limit, InstantSource clock) {
        this.limit = limit;
        this.clock = clock;
    }

    /**
     * Records a failed call.
     *
     * @param destination null if its URL could not be parsed
     */
    public void add(String id, String destination, ErrorCode code, String message, int attempts) {
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
            Group group = groups.computeIfAbsent(new Kind(destination, code), kind -> new Group());
            group.add(failure);
            kept++;
            if (groups.size() > limit) {
                evictOldestKind();
            }
            if (kept > limit) {
                evictOldestCall(group);
            }
        }
    }

    @GuardedBy("this")
    private void evictOldestKind() {
        Map.Entry<Kind, Group> oldest = groups.entrySet().iterator().next();
        groups.remove(oldest.getKey());
        kept -= oldest.getValue().latest.size();
        others.computeIfAbsent(oldest.getKey().code(), code -> new Group()).addCounts(oldest.getValue());
    }

    /** Removes the oldest call of the current group if that has more than its share, else of the largest group. */
    @GuardedBy("this")
    private void evictOldestCall(Group current) {
        Group largest = current.latest.size() > limit / groups.size()
                ? current
                : groups.values().stream()
                        .max(Comparator.comparingInt(each -> each.latest.size()))
                        .orElseThrow();
        largest.latest.removeLast();
        kept--;
    }

    private static String truncate(String text, int maxLength) {
        if (text == null || text.length() <= maxLength) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(maxLength - 1)) ? maxLength - 1 : maxLength;
        return text.substring(0, end) + "…";
    }

    /** Returns the failures since the start by destination and code, the latest kind first. */
    public synchronized List<FailureGroup> groups() {
        return Stream.concat(
                        groups.entrySet().stream()
                                .map(each -> each.getValue()
                                        .snapshot(
                                                each.getKey().destination(),
                                                each.getKey().code())),
                        others.entrySet().stream().map(each -> each.getValue().snapshot(OTHER, each.getKey())))
                .sorted(Comparator.comparing(FailureGroup::last).reversed())
                .toList();
    }

    /**
     * A failed call.
     *
     * @param destination null if its URL could not be parsed
     */
    public record FailedCall(
            @StatusField Instant at,

            @StatusField(doc = "the id of the answer, truncated to 200 characters")
            String id,

            String destination,
            ErrorCode code,

            @StatusField(
                    doc =
                            "the error message of the answer, truncated to 500 characters; without path, query, headers or"
                                    + " body")
            String message,

            @StatusField int attempts) {}

    /** The failures of one kind since the start. */
    public record FailureGroup(
            @StatusField(
                    nullable = true,
                    doc =
                            "null if the URLs could not be parsed; `other` for the destinations and codes that were evicted")
            String destination,

            ErrorCode code,

            @StatusField(min = 1, doc = "failures since the start")
            long count,

            @StatusField(doc = "time of the first failure") Instant first,
            @StatusField(doc = "time of the last failure") Instant last,

            @StatusField(doc = "the latest failed calls, latest first")
            List<FailedCall> latest) {

        @StatusField(name = "code", doc = "one of the error codes")
        String codeName() {
            return code.wireName();
        }
    }

    /** The failures of all kinds, the latest kind first: the response of {@code /api/failures}. */
    public record All(
            @StatusField(doc = "one entry for each destination and code, the latest first")
            List<FailureGroup> groups) {}

    private record Kind(String destination, ErrorCode code) {}

    /** Failures of one kind. Confined to the lock. */
    private static final class Group {

        private final Deque<FailedCall> latest = new ArrayDeque<>();
        private long count;
        private Instant first;
        private Instant last;

        void add(FailedCall failure) {
            latest.addFirst(failure);
            addCounts(1, failure.at(), failure.at());
        }

        void addCounts(Group evicted) {
            addCounts(evicted.count, evicted.first, evicted.last);
        }

        private void addCounts(long more, Instant from, Instant to) {
            count += more;
            first = first == null || from.isBefore(first) ? from : first;
            last = last == null || to.isAfter(last) ? to : last;
        }

        FailureGroup snapshot(String destination, ErrorCode code) {
            return new FailureGroup(destination, code, count, first, last, List.copyOf(latest));
        }
    }
}

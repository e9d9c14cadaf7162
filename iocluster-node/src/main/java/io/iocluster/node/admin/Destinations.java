package io.iocluster.node.admin;

import io.iocluster.destination.AttemptTotals.LastError;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.node.admin.ListQuery.Page;
import io.iocluster.status.StatusField;
import java.util.Comparator;
import java.util.List;

/** The destinations of a node: the response of {@code /api/destinations}. Immutable. */
public record Destinations(
        @StatusField List<DestinationStatus> destinations,

        @StatusField(doc = "number of other entries that match")
        int more) {

    /** Those that need attention first, then those with the most attempts. An order by calls in flight would change all the time. */
    private static final Comparator<DestinationStatus> ORDER = Comparator.comparingInt(Destinations::urgency)
            .thenComparingLong(each -> each.attempts().started())
            .reversed()
            .thenComparing(DestinationStatus::name);

    /** Returns the destinations that the query selects. */
    public static Destinations of(List<DestinationStatus> all, ListQuery query) {
        List<DestinationStatus> sorted = all.stream().sorted(ORDER).toList();
        Page<DestinationStatus> page = query.apply(sorted, DestinationStatus::name, Destinations::text);
        return new Destinations(page.entries(), page.more());
    }

    private static int urgency(DestinationStatus destination) {
        boolean isChanged = destination.operator().pause() != null
                || destination.operator().limit() != null
                || !destination.pausedFor().isZero();
        boolean isBroken =
                destination.breaker() == BreakerState.OPEN || destination.breaker() == BreakerState.HALF_OPEN;
        return (isBroken ? 4 : 0) + (isChanged ? 2 : 0) + (destination.waiting() > 0 ? 1 : 0);
    }

    /** Returns the text that a search compares with its words. */
    private static String text(DestinationStatus destination) {
        LastError last = destination.attempts().lastError();
        return destination.name() + "\n" + destination.breaker().wireName() + "\n"
                + (last == null ? "" : last.reason());
    }
}

package io.iocluster.node.admin;

import io.iocluster.destination.AttemptTotals;
import io.iocluster.destination.AttemptTotals.LastError;
import io.iocluster.destination.ClusterLimits;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.destination.operator.OperatorStatus;
import io.iocluster.hedge.HedgeStatus;
import io.iocluster.node.admin.list.ListQuery;
import io.iocluster.node.admin.list.ListQuery.Page;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes the response of {@code /api/destinations}. */
public final class DestinationsJson {

    /** Those that need attention first, then those with the most attempts, because the calls in flight change with each response. */
    private static final Comparator<DestinationStatus> ORDER = Comparator.comparingInt(DestinationsJson::urgency)
            .thenComparingLong(each -> each.attempts().started())
            .reversed()
            .thenComparing(DestinationStatus::name);

    private DestinationsJson() {}

    /** Writes the destinations that the query selects. */
    public static ObjectNode of(List<DestinationStatus> destinations, ListQuery query) {
        List<DestinationStatus> sorted = destinations.stream().sorted(ORDER).toList();
        Page<DestinationStatus> page = query.apply(sorted, DestinationStatus::name, DestinationsJson::text);
        ObjectNode json = AdminResponse.JSON.createObjectNode();
        ArrayNode all = json.putArray("destinations");
        page.entries().forEach(each -> all.add(of(each)));
        json.put("more", page.more());
        return json;
    }

    private static int urgency(DestinationStatus destination) {
        boolean isChanged = destination.operator().pause() != null
                || destination.operator().limit() != null
                || !destination.pausedFor().isZero();
        boolean isBroken =
                destination.breaker() == BreakerState.OPEN || destination.breaker() == BreakerState.HALF_OPEN;
        return (isBroken ? 4 : 0) + (isChanged ? 2 : 0) + (destination.waiting() > 0 ? 1 : 0);
    }

    /** Returns the text in which a search looks for words. */
    private static String text(DestinationStatus destination) {
        LastError last = destination.attempts().lastError();
        return destination.name() + "\n" + destination.breaker().wireName() + "\n"
                + (last == null ? "" : last.reason());
    }

    /** Writes one destination. */
    public static ObjectNode of(DestinationStatus destination) {
        AttemptTotals attempts = destination.attempts();
        ObjectNode json = AdminResponse.JSON.createObjectNode();
        json.put("name", destination.name());
        json.put("inFlight", destination.inFlight());
        json.put("inFlightLimit", destination.limit());
        json.put("attempts", attempts.started());
        json.put("endedAttempts", attempts.ended());
        json.put("errors", attempts.errors());
        LastError last = attempts.lastError();
        if (last == null) {
            json.putNull("lastError");
        } else {
            json.putObject("lastError")
                    .put("reason", last.reason())
                    .put("ageMillis", last.age().toMillis());
        }
        json.put("rate", destination.nodeRate());
        json.set("cluster", cluster(destination.cluster()));
        json.put("waiting", destination.waiting());
        json.put("breaker", destination.breaker().wireName());
        json.put("retryBudgetExhausted", destination.retryBudgetExhausted());
        json.put("pausedMillis", destination.pausedFor().toMillis());
        json.set("operatorPause", pause(destination.operator().pause()));
        json.set("operatorLimit", limit(destination.operator().limit()));
        json.set("hedge", hedge(destination.hedge()));
        return json;
    }

    private static JsonNode hedge(HedgeStatus hedge) {
        if (hedge == null) {
            return NullNode.getInstance();
        }
        return AdminResponse.object()
                .put("after", hedge.after())
                .put("delayMillis", hedge.delay() == null ? null : roundedMillis(hedge.delay()))
                .put("budgetPercent", hedge.budgetPercent());
    }

    private static Long roundedMillis(Duration duration) {
        return duration.plusNanos(500_000).toMillis();
    }

    private static JsonNode cluster(ClusterLimits limits) {
        if (limits == null) {
            return NullNode.getInstance();
        }
        return AdminResponse.object()
                .put("nodes", limits.nodes())
                .put("maxInFlight", limits.maxInFlight())
                .put("rate", limits.rate() == null ? null : limits.rate().toString());
    }

    private static JsonNode pause(OperatorStatus.Pause pause) {
        return pause == null ? NullNode.getInstance() : end(pause.until(), pause.remaining());
    }

    private static JsonNode limit(OperatorStatus.Limit limit) {
        if (limit == null) {
            return NullNode.getInstance();
        }
        return end(limit.until(), limit.remaining())
                .put("maxInFlight", limit.maxInFlight())
                .put("rate", limit.rate() == null ? null : limit.rate().toString());
    }

    private static ObjectNode end(Instant until, Duration remaining) {
        return AdminResponse.object().put("until", until.toString()).put("remainingMillis", remaining.toMillis());
    }
}

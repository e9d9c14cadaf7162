package io.iocluster.destination;

import io.iocluster.destination.limit.BreakerState;
import io.iocluster.destination.limit.BreakerTrip;
import io.iocluster.destination.operator.OperatorStatus;
import io.iocluster.hedge.HedgeStatus;
import io.iocluster.settings.Rate;
import io.iocluster.status.StatusField;
import java.time.Duration;

/**
 * A snapshot of a destination. Immutable.
 *
 * @param configured whether the destination is an entry of {@code destinations}
 * @param limit from {@code max-in-flight} and the adaptive limit
 * @param trip why the breaker is open or half-open; null if it is neither
 * @param rate limit of the attempts started per time span, of all nodes if they divide it
 */
public record DestinationStatus(
        @StatusField(doc = "the configured name, else `host:port`; `other` for the destinations above the limit")
        String name,

        boolean configured,
        @StatusField(doc = "attempts in flight") int inFlight,

        @StatusField(
                name = "inFlightLimit",
                doc = "maximum attempts in flight; 0 if only its share of the node limits it")
        int limit,

        @StatusField(doc = "calls in its wait queue, including retries")
        int waiting,

        @StatusField BreakerState breaker,
        BreakerTrip trip,

        @StatusField(doc = "retries that its budget refused")
        long retryBudgetExhausted,

        @StatusField(name = "pausedMillis", doc = "remaining pause that the target requested")
        Duration pausedFor,

        @StatusField(inline = true) AttemptTotals attempts,
        Rate rate,
        @StatusField(inline = true) OperatorStatus operator,

        @StatusField(nullable = true, doc = "the limits that the live nodes divide; null if they divide none")
        ClusterLimits cluster,

        @StatusField(nullable = true, doc = "when slow calls get a second attempt; null if none does")
        HedgeStatus hedge) {

    /** Returns the rate of this node, such as {@code 50/s}: its share if the nodes divide the rate, and 0 while it does not know the share. */
    @StatusField(
            name = "rate",
            pattern = "^(unlimited|[0-9]+([.][0-9]+)?/[smh])$",
            doc = "maximum attempts that this node starts in a time span; `0/s` while it does not know its share of the"
                    + " cluster's rate")
    public String nodeRate() {
        if (cluster == null || cluster.rate() == null) {
            return rate.toString();
        }
        return cluster.nodes() == 0 ? "0/s" : rate.dividedBy(cluster.nodes());
    }

    /**
     * Returns how many attempts this node may start in a second: its share if the nodes divide the rate, and 0 while it does not know the
     * share. Infinite if the rate is unlimited.
     */
    public double attemptsPerSecond() {
        if (rate.isUnlimited()) {
            return Double.POSITIVE_INFINITY;
        }
        double all = rate.count() * 1_000.0 / rate.per().toMillis();
        if (cluster == null || cluster.rate() == null) {
            return all;
        }
        return cluster.nodes() == 0 ? 0 : all / cluster.nodes();
    }
}

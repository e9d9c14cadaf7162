package io.iocluster.destination;

import io.iocluster.destination.limit.BreakerState;
import io.iocluster.destination.operator.OperatorStatus;
import io.iocluster.hedge.HedgeStatus;
import io.iocluster.settings.Rate;
import java.time.Duration;

/**
 * A snapshot of a destination. Immutable.
 *
 * @param name the configured name, {@code host:port} if there is none, or {@code other} for the hosts beyond the limit
 *     of destinations
 * @param configured whether the destination is an entry of {@code destinations}
 * @param inFlight attempts in flight
 * @param limit current limit of attempts in flight, from {@code max-in-flight} and the adaptive limit; 0 if only the
 *     destination's share of the slots limits it
 * @param waiting calls in the queue, including retries that are not yet due
 * @param retryBudgetExhausted retries that were refused because the retry budget had no room
 * @param pausedFor rest of the pause that the target asked for; zero if there is none
 * @param attempts the attempts so far
 * @param rate limit of the attempts started per time span
 * @param operator what an operator overrides
 * @param cluster the limits that the nodes divide; null if they divide none
 * @param hedge when calls get a second attempt; null if none does
 */
public record DestinationStatus(
        String name,
        boolean configured,
        int inFlight,
        int limit,
        int waiting,
        BreakerState breaker,
        long retryBudgetExhausted,
        Duration pausedFor,
        AttemptTotals attempts,
        Rate rate,
        OperatorStatus operator,
        ClusterLimits cluster,
        HedgeStatus hedge) {

    /** Returns the rate of this node, such as {@code 50/s}: its share if the nodes divide the rate, and 0 while it does not know the share. */
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

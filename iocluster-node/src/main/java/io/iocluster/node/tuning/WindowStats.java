package io.iocluster.node.tuning;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Statistics of consecutive observations.
 *
 * @param nodes number of nodes, at the last observation
 * @param seconds time from the first to the last
 * @param lag the last lag; null if one of the observations does not know it
 * @param lagGrowth growth of the lag in messages a second, by least squares; 0 if unknown
 * @param backlog messages whose calls wait for a slot; 0 if unknown
 * @param callRate calls made a second
 * @param expiryRate calls that were not made a second, because they waited for too long
 * @param inFlight mean number of calls in flight
 * @param slots limit of calls in flight, at the last observation
 * @param threads event loops, at the last observation
 * @param fullRatio share of the observations with all slots taken
 * @param cpu mean use of the available cores; NaN if unknown
 * @param workerCpu mean CPU use of an event loop; NaN if unknown
 * @param bottleneck what else is used up in most observations; null if nothing is
 * @param saturatedRatio mean share of the calls that are for saturated destinations
 * @param saturated the saturated destinations of the last observation
 */
record WindowStats(
        int nodes,
        double seconds,
        Long lag,
        double lagGrowth,
        long backlog,
        double callRate,
        double expiryRate,
        double inFlight,
        int slots,
        int threads,
        double fullRatio,
        double cpu,
        double workerCpu,
        String bottleneck,
        double saturatedRatio,
        List<SaturatedDestination> saturated) {

    /**
     * Observations whose largest backlog counts. The node reads the lag from the broker less often than it takes
     * observations, and in between only its own part changes.
     */
    private static final int BACKLOG_OBSERVATIONS = 3;

    /** @param window one observation or more, in order */
    static WindowStats of(List<Observation> window) {
        Observation first = window.get(0);
        Observation last = window.get(window.size() - 1);
        double seconds = (last.nanos() - first.nanos()) / 1e9;
        boolean known = window.stream().allMatch(each -> each.lag() != null);
        return new WindowStats(
                last.nodes(),
                seconds,
                known ? last.lag() : null,
                known ? slope(window) : 0,
                known ? backlog(window) : 0,
                seconds == 0 ? 0 : Math.max(0, made(last) - made(first)) / seconds,
                seconds == 0 ? 0 : (last.notMade() - first.notMade()) / seconds,
                mean(window, Observation::inFlight),
                last.slots(),
                last.threads(),
                mean(window, each -> each.isFull() ? 1 : 0),
                mean(window, Observation::cpu),
                mean(window, Observation::workerCpu),
                bottleneck(window),
                mean(window, Observation::saturatedRatio),
                last.saturated());
    }

    private static double made(Observation observation) {
        return observation.acknowledged() - observation.notMade();
    }

    private static long backlog(List<Observation> window) {
        return window.subList(Math.max(0, window.size() - BACKLOG_OBSERVATIONS), window.size()).stream()
                .mapToLong(Observation::backlog)
                .max()
                .orElse(0);
    }

    private static double mean(List<Observation> window, ToDoubleFunction<Observation> figure) {
        return window.stream()
                .mapToDouble(figure)
                .filter(value -> !Double.isNaN(value))
                .average()
                .orElse(Double.NaN);
    }

    private static double slope(List<Observation> window) {
        double meanLag = mean(window, Observation::lag);
        double meanTime = mean(window, Observation::nanos);
        double covariance = 0;
        double variance = 0;
        for (Observation each : window) {
            double time = (each.nanos() - meanTime) / 1e9;
            covariance += time * (each.lag() - meanLag);
            variance += time * time;
        }
        return variance == 0 ? 0 : covariance / variance;
    }

    private static String bottleneck(List<Observation> window) {
        List<String> bottlenecks = window.stream()
                .map(Observation::bottleneck)
                .filter(each -> each != null)
                .toList();
        return bottlenecks.size() * 2 > window.size() ? bottlenecks.get(bottlenecks.size() - 1) : null;
    }

    /** Returns the time to clear the backlog at this rate; infinite if nothing is answered. */
    double backlogSeconds() {
        return backlog == 0 ? 0 : backlog / callRate;
    }

    /**
     * Returns how long a message holds its slot on average, retries included. By Little's law this is the calls in
     * flight divided by the messages answered a second. J. D. C. Little, <i>A Proof for the Queuing Formula: L =
     * λW</i>, Operations Research 9(3), 1961.
     */
    double slotSeconds() {
        return inFlight / callRate;
    }

    /** Returns the messages that arrive a second. */
    double arrivalRate() {
        return Math.max(0, callRate + expiryRate + lagGrowth);
    }

    /** Returns the messages a second that the node must answer to clear the backlog in this time. */
    double requiredRate(double catchUpSeconds) {
        return arrivalRate() + backlog / catchUpSeconds;
    }
}

package io.iocluster.node.tuning;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What some consecutive observations say together.
 *
 * @param seconds from the first to the last
 * @param lag the last; null if one of them does not know it
 * @param trend by how many messages a second the lag grows, by least squares; 0 if it is not known
 * @param backlog messages that nobody has begun with; 0 if that is not known
 * @param rate messages answered a second
 * @param calls open, on average
 * @param places most calls open at once, at the last
 * @param threads event loops, at the last
 * @param fullPart in what part of the observations the places were used up
 * @param cpu on average; NaN if not known
 * @param workerCpu on average; NaN if not known
 * @param bound what else is used up most of the time; null if nothing is
 * @param strainedPart what part of the calls was for destinations that take no more, on average
 */
record WindowStats(
        double seconds,
        Long lag,
        double lagGrowth,
        long backlog,
        double callRate,
        double inFlight,
        int slots,
        int threads,
        double fullRatio,
        double cpu,
        double workerCpu,
        String bottleneck,
        double saturatedRatio,
        List<SaturatedDestination> saturated) {

    /** A broker is asked for the lag less often than the node is looked at, and between two answers only the node's part shows. */
    private static final int LAG_OVER = 3;

    /** @param window one observation or more, in order */
    static WindowStats of(List<Observation> window) {
        Observation first = window.get(0);
        Observation last = window.get(window.size() - 1);
        double seconds = (last.nanos() - first.nanos()) / 1e9;
        boolean known = window.stream().allMatch(each -> each.lag() != null);
        return new WindowStats(
                seconds,
                known ? last.lag() : null,
                known ? slope(window) : 0,
                known ? backlog(window) : 0,
                seconds == 0 ? 0 : (last.acknowledged() - first.acknowledged()) / seconds,
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

    private static long backlog(List<Observation> window) {
        return window.subList(Math.max(0, window.size() - LAG_OVER), window.size()).stream()
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
        double together = 0;
        double alone = 0;
        for (Observation each : window) {
            double time = (each.nanos() - meanTime) / 1e9;
            together += time * (each.lag() - meanLag);
            alone += time * time;
        }
        return alone == 0 ? 0 : together / alone;
    }

    private static String bottleneck(List<Observation> window) {
        List<String> bounds = window.stream()
                .map(Observation::bottleneck)
                .filter(each -> each != null)
                .toList();
        return bounds.size() * 2 > window.size() ? bounds.get(bounds.size() - 1) : null;
    }

    /** How long the backlog keeps the node busy at this rate; infinite if nothing is answered. */
    double backlogSeconds() {
        return backlog == 0 ? 0 : backlog / callRate;
    }

    /**
     * How long a message has a place, retries included, on average: by Little's law the places taken divided by the messages
     * answered a second. J. D. C. Little, <i>A Proof for the Queuing Formula: L = λW</i>, Operations Research 9(3), 1961.
     */
    double slotSeconds() {
        return inFlight / callRate;
    }

    /** How many messages a second come in. */
    double arrivalRate() {
        return Math.max(0, callRate + lagGrowth);
    }

    /** How many messages a second have to be answered for the backlog to be gone after this time. */
    double requiredRate(double catchUpSeconds) {
        return arrivalRate() + backlog / catchUpSeconds;
    }
}

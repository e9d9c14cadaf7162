package io.iocluster.node.tuning;

import static io.iocluster.node.tuning.ReasonFormat.number;
import static io.iocluster.node.tuning.ReasonFormat.percent;
import static io.iocluster.node.tuning.ReasonFormat.seconds;

import io.iocluster.node.config.TuningSettings;

/**
 * Sizes a node whose slots, threads or cores are used up while messages wait. Little's law gives the slots: required
 * messages a second times the seconds that each holds its slot.
 */
record CapacityPlan(WindowStats stats, TuningSettings settings) {

    /** Headroom for uneven arrivals. */
    private static final double HEADROOM = 1.25;

    /** Maximum growth of one step, because measurements at a small size do not predict a much larger one. */
    private static final int MAX_STEP_FACTOR = 8;

    /** Minimum growth that justifies a step. */
    static final double MIN_STEP_FACTOR = 1.1;

    /** Additional nodes get more time for the backlog, because it may be gone before they run. */
    private static final int CATCH_UP_PERIODS_FOR_NODES = 10;

    /** @param maxSlots upper limit of slots, in addition to {@code tuning.max-in-flight} */
    Advice growInFlight(int maxSlots) {
        double wanted = wanted();
        double needed = wanted * stats.slotSeconds() * HEADROOM;
        int limit = Math.min(maxSlots, settings.maxInFlight());
        long byCpu = stats.cpu() > 0 ? (long) (stats.slots() * settings.cpuCeilingRatio() / stats.cpu()) : limit;
        long to = Math.min(
                Math.min(limit, byCpu),
                Math.min((long) stats.slots() * MAX_STEP_FACTOR, roundUp(Math.max(needed, stats.slots() * HEADROOM))));
        String allTaken = backlogText() + "; all " + number(stats.slots()) + " slots are taken, ";
        if (to < stats.slots() * MIN_STEP_FACTOR) {
            return byCpu < limit
                    ? addNodes(allTaken + "and more slots would raise the CPU from " + percent(stats.cpu()) + " above "
                            + settings.cpuCeiling() + "%")
                    : addNodes(allTaken + "as many as tuning.max-in-flight allows: raise that setting or start nodes");
        }
        return Advice.growInFlight(
                (int) to,
                allTaken + "each for " + seconds(stats.slotSeconds()) + ", and the CPU is at " + percent(stats.cpu())
                        + ": " + number(wanted) + "/s need about " + number(roundUp(needed)));
    }

    /** Recommends event loops, because the existing ones are busy while cores are free. */
    Advice addThreads() {
        String busy = backlogText() + "; the event loops (" + stats.threads() + ") are busy for "
                + percent(stats.workerCpu()) + " of the time and the CPU is at " + percent(stats.cpu());
        if (stats.threads() >= settings.effectiveMaxThreads()) {
            return addNodes(busy + ", with as many threads as tuning.max-threads allows");
        }
        double rateGrowth = stats.callRate() == 0 ? 1 : Math.max(1, wanted() / stats.callRate());
        double needed = stats.threads() * stats.workerCpu() * rateGrowth / settings.cpuCeilingRatio();
        int to = (int) Math.min(settings.effectiveMaxThreads(), Math.max(stats.threads() + 1, Math.ceil(needed)));
        return Advice.addThreads(to, busy);
    }

    /** Recommends nodes, because the CPU is above its ceiling. */
    Advice addNodes() {
        return addNodes(backlogText() + ", and the CPU is at " + percent(stats.cpu()) + ", above its ceiling of "
                + settings.cpuCeiling() + "%");
    }

    private Advice addNodes(String reason) {
        // Above the ceiling, the current rate is more than the node should handle.
        double overload = stats.cpu() > settings.cpuCeilingRatio() ? stats.cpu() / settings.cpuCeilingRatio() : 1;
        double capacity = stats.callRate() / overload;
        double wanted = stats.requiredRate(settings.catchUp().toSeconds() * (double) CATCH_UP_PERIODS_FOR_NODES);
        double nodes = capacity == 0 ? 1 : Math.ceil(stats.nodes() * wanted / capacity) - stats.nodes();
        return Advice.addNodes((int) Math.min(1_000, Math.max(1, nodes)), reason);
    }

    private double wanted() {
        return stats.requiredRate(settings.catchUp().toMillis() / 1e3);
    }

    private String backlogText() {
        String work = stats.callRate() == 0
                ? ", no call was answered for " + seconds(stats.seconds())
                : ", which is " + seconds(stats.backlogSeconds()) + " of work at " + number(stats.callRate()) + "/s";
        return number(stats.backlog()) + " messages wait" + work + ", and the lag "
                + (stats.lagGrowth() > 0 ? "grows by " : "falls by ") + number(Math.abs(stats.lagGrowth())) + "/s";
    }

    /** Rounds up to a number of two significant digits. */
    static long roundUp(double value) {
        double unit = Math.max(1, Math.pow(10, Math.floor(Math.log10(value)) - 1));
        return (long) (Math.ceil(value / unit) * unit);
    }
}

package io.iocluster.node.tuning;

import static io.iocluster.node.tuning.ReasonFormat.number;
import static io.iocluster.node.tuning.ReasonFormat.percent;
import static io.iocluster.node.tuning.ReasonFormat.seconds;

import io.iocluster.node.config.TuningSettings;

/**
 * How much more a node needs, whose places or threads or cores are used up while messages wait. Little's law says how many
 * places: the messages a second that are wanted, times how long each has its place.
 */
record CapacityPlan(WindowStats stats, TuningSettings settings) {

    /** Room for what comes unevenly. */
    private static final double SPARE = 1.25;

    /** What is known of a few places is not trusted for more than so many times as many. */
    private static final int MOST_AT_ONCE = 8;

    /** A smaller step is not worth its while. */
    static final double MIN_STEP_FACTOR = 1.1;

    /** Nodes are not started for a backlog that is gone before they run. */
    private static final int CATCH_UPS_OF_NODES = 10;

    /** @param most never more places than these, whatever the settings say */
    Advice growInFlight(int most) {
        double wanted = wanted();
        double needed = wanted * stats.slotSeconds() * SPARE;
        int limit = Math.min(most, settings.maxInFlight());
        long byCpu = stats.cpu() > 0 ? (long) (stats.slots() * settings.cpuCeilingRatio() / stats.cpu()) : limit;
        long to = Math.min(
                Math.min(limit, byCpu),
                Math.min((long) stats.slots() * MOST_AT_ONCE, roundUp(Math.max(needed, stats.slots() * SPARE))));
        String full = waits() + "; all " + number(stats.slots()) + " places are taken, ";
        if (to < stats.slots() * MIN_STEP_FACTOR) {
            return byCpu < limit
                    ? addNodes(full + "and more of them would take the CPU from " + percent(stats.cpu()) + " past "
                            + settings.cpuCeiling() + "%")
                    : addNodes(full + "as many as tuning.max-in-flight allows: raise that or start nodes");
        }
        return Advice.growInFlight(
                (int) to,
                full + "each for " + seconds(stats.slotSeconds()) + ", and the CPU is at " + percent(stats.cpu()) + ": "
                        + number(wanted) + "/s need about " + number(roundUp(needed)));
    }

    /** For event loops that are busy while cores are free. */
    Advice addThreads() {
        String busy = waits() + "; the event loops (" + stats.threads() + ") are busy for " + percent(stats.workerCpu())
                + " of the time and the CPU is at " + percent(stats.cpu());
        if (stats.threads() >= settings.effectiveMaxThreads()) {
            return addNodes(busy + ", with as many threads as tuning.max-threads allows");
        }
        double more = stats.callRate() == 0 ? 1 : Math.max(1, wanted() / stats.callRate());
        double needed = stats.threads() * stats.workerCpu() * more / settings.cpuCeilingRatio();
        int to = (int) Math.min(settings.effectiveMaxThreads(), Math.max(stats.threads() + 1, Math.ceil(needed)));
        return Advice.addThreads(to, busy);
    }

    /** For cores that are used up. */
    Advice addNodes() {
        return addNodes(waits() + ", and the CPU is at " + percent(stats.cpu()) + ", past its ceiling of "
                + settings.cpuCeiling() + "%");
    }

    private Advice addNodes(String why) {
        // Past the ceiling, what it makes now is more than it should.
        double over = stats.cpu() > settings.cpuCeilingRatio() ? stats.cpu() / settings.cpuCeilingRatio() : 1;
        double capacity = stats.callRate() / over;
        double wanted = stats.requiredRate(settings.catchUp().toSeconds() * (double) CATCH_UPS_OF_NODES);
        double nodes = capacity == 0 ? 1 : Math.ceil(wanted / capacity) - 1;
        return Advice.addNodes((int) Math.min(1_000, Math.max(1, nodes)), why);
    }

    private double wanted() {
        return stats.requiredRate(settings.catchUp().toMillis() / 1e3);
    }

    private String waits() {
        String work = stats.callRate() == 0
                ? ", none was answered for " + seconds(stats.seconds())
                : ", which is " + seconds(stats.backlogSeconds()) + " of work at " + number(stats.callRate()) + "/s";
        return number(stats.backlog()) + " messages wait" + work + ", and the lag "
                + (stats.lagGrowth() > 0 ? "grows by " : "falls by ") + number(Math.abs(stats.lagGrowth())) + "/s";
    }

    /** Up to the next number of two digits and zeros. */
    static long roundUp(double value) {
        double unit = Math.max(1, Math.pow(10, Math.floor(Math.log10(value)) - 1));
        return (long) (Math.ceil(value / unit) * unit);
    }
}

package io.iocluster.node.tuning;

import static io.iocluster.node.tuning.Wording.number;
import static io.iocluster.node.tuning.Wording.percent;
import static io.iocluster.node.tuning.Wording.seconds;

import io.iocluster.node.config.TuningSettings;

/**
 * How much more a node needs, whose places or threads or cores are used up while messages wait. Little's law says how many
 * places: the messages a second that are wanted, times how long each has its place.
 */
record Growth(Figures figures, TuningSettings settings) {

    /** Room for what comes unevenly. */
    private static final double SPARE = 1.25;

    /** What is known of a few places is not trusted for more than so many times as many. */
    private static final int MOST_AT_ONCE = 8;

    /** A smaller step is not worth its while. */
    static final double LEAST_STEP = 1.1;

    /** Nodes are not started for a backlog that is gone before they run. */
    private static final int CATCH_UPS_OF_NODES = 10;

    /** @param most never more places than these, whatever the settings say */
    Advice places(int most) {
        double wanted = wanted();
        double needed = wanted * figures.placeSeconds() * SPARE;
        int limit = Math.min(most, settings.maxInFlight());
        long byCpu = figures.cpu() > 0 ? (long) (figures.places() * settings.cpuCeilingPart() / figures.cpu()) : limit;
        long to = Math.min(
                Math.min(limit, byCpu),
                Math.min((long) figures.places() * MOST_AT_ONCE, rounded(Math.max(needed, figures.places() * SPARE))));
        String full = waits() + "; all " + number(figures.places()) + " places are taken, ";
        if (to < figures.places() * LEAST_STEP) {
            return byCpu < limit
                    ? nodes(full + "and more of them would take the CPU from " + percent(figures.cpu()) + " past "
                            + settings.cpuCeiling() + "%")
                    : nodes(full + "as many as tuning.max-in-flight allows: raise that or start nodes");
        }
        return Advice.growInFlight(
                (int) to,
                full + "each for " + seconds(figures.placeSeconds()) + ", and the CPU is at " + percent(figures.cpu())
                        + ": " + number(wanted) + "/s need about " + number(rounded(needed)));
    }

    /** For event loops that are busy while cores are free. */
    Advice threads() {
        String busy = waits() + "; the event loops (" + figures.threads() + ") are busy for "
                + percent(figures.workerCpu()) + " of the time and the CPU is at " + percent(figures.cpu());
        if (figures.threads() >= settings.effectiveMaxThreads()) {
            return nodes(busy + ", with as many threads as tuning.max-threads allows");
        }
        double more = figures.rate() == 0 ? 1 : Math.max(1, wanted() / figures.rate());
        double needed = figures.threads() * figures.workerCpu() * more / settings.cpuCeilingPart();
        int to = (int) Math.min(settings.effectiveMaxThreads(), Math.max(figures.threads() + 1, Math.ceil(needed)));
        return Advice.addThreads(to, busy);
    }

    /** For cores that are used up. */
    Advice nodes() {
        return nodes(waits() + ", and the CPU is at " + percent(figures.cpu()) + ", past its ceiling of "
                + settings.cpuCeiling() + "%");
    }

    private Advice nodes(String why) {
        // Past the ceiling, what it makes now is more than it should.
        double over = figures.cpu() > settings.cpuCeilingPart() ? figures.cpu() / settings.cpuCeilingPart() : 1;
        double capacity = figures.rate() / over;
        double wanted = figures.wanted(settings.catchUp().toSeconds() * (double) CATCH_UPS_OF_NODES);
        double nodes = capacity == 0 ? 1 : Math.ceil(wanted / capacity) - 1;
        return Advice.addNodes((int) Math.min(1_000, Math.max(1, nodes)), why);
    }

    private double wanted() {
        return figures.wanted(settings.catchUp().toMillis() / 1e3);
    }

    private String waits() {
        String work = figures.rate() == 0
                ? ", none was answered for " + seconds(figures.seconds())
                : ", which is " + seconds(figures.workSeconds()) + " of work at " + number(figures.rate()) + "/s";
        return number(figures.backlog()) + " messages wait" + work + ", and the lag "
                + (figures.trend() > 0 ? "grows by " : "falls by ") + number(Math.abs(figures.trend())) + "/s";
    }

    /** Up to the next number of two digits and zeros. */
    static long rounded(double value) {
        double unit = Math.max(1, Math.pow(10, Math.floor(Math.log10(value)) - 1));
        return (long) (Math.ceil(value / unit) * unit);
    }
}

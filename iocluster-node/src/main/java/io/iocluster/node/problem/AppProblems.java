package io.iocluster.node.problem;

import io.iocluster.node.problem.Problem.Kind;
import io.iocluster.node.problem.Problem.Severity;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.producer.AppQuota;
import io.iocluster.producer.AppStatus;
import java.util.List;
import java.util.Set;

/** Reports apps that exceed their quota, and apps whose calls make the calls of other apps wait. */
final class AppProblems {

    /** An app is reported from this share of the calls that the node works on. */
    private static final double DOMINATING = 0.75;

    /**
     * The node is busy from this share of the slots. It is below two thirds, the most that one destination gets while
     * several are called.
     */
    private static final double BUSY = 0.6;

    /** Refused calls per second below which an app is no longer reported. */
    private static final double SOME_PER_SECOND = 0.1;

    private AppProblems() {}

    /**
     * Adds a problem for each app that exceeds its quota or makes others wait.
     *
     * @param grown apps that send a larger part of the calls than usual. The largest one is no cause if it always was the largest
     */
    static void add(List<AppStatus> apps, Set<String> grown, PipelineStatus pipeline, List<Problem> problems) {
        int all = apps.stream().mapToInt(AppStatus::inFlight).sum();
        double callsPerSecond =
                apps.stream().mapToDouble(AppStatus::callsPerSecond).sum();
        for (AppStatus app : apps) {
            if (app.overQuotaPerSecond() >= SOME_PER_SECOND || app.waiting() > 0) {
                problems.add(overQuota(app, callsPerSecond));
            } else if (grown.contains(app.name())
                    && callsWait(pipeline)
                    && app.inFlight() < all
                    && app.inFlight() >= DOMINATING * all) {
                problems.add(dominating(app, all));
            }
        }
    }

    /** Returns whether all slots are taken, or most of them while calls wait for a destination. */
    private static boolean callsWait(PipelineStatus pipeline) {
        return pipeline.inFlight() >= pipeline.maxInFlight()
                || pipeline.waiting() > 0 && pipeline.inFlight() >= BUSY * pipeline.maxInFlight();
    }

    private static Problem overQuota(AppStatus app, double callsPerSecond) {
        boolean refused = app.overQuotaPerSecond() >= SOME_PER_SECOND;
        return new Problem(
                Kind.APP_OVER_QUOTA,
                Severity.WARN,
                app.name(),
                "App " + app.name() + " waits for its quota (" + text(app.quota()) + "): "
                        + app.waiting() + " calls of the app wait"
                        + (refused ? ", and " + (long) Math.ceil(app.overQuotaPerSecond()) + " a second fail." : ".")
                        + share(app, callsPerSecond),
                "Ask its owner to send fewer calls, or raise its quota under apps.");
    }

    /** Names ended calls, because those that wait for the quota are not in the rates. */
    private static String share(AppStatus app, double callsPerSecond) {
        return app.callsPerSecond() > 0
                ? " Its share of the ended calls is " + Math.round(100 * app.callsPerSecond() / callsPerSecond) + " %."
                : "";
    }

    private static String text(AppQuota quota) {
        if (quota.maxInFlight() == 0) {
            return quota.rate().toString();
        }
        return quota.maxInFlight() + " in flight" + (quota.rate().isUnlimited() ? "" : ", " + quota.rate());
    }

    private static Problem dominating(AppStatus app, int all) {
        return new Problem(
                Kind.APP_DOMINATES,
                Severity.WARN,
                app.name(),
                "App " + app.name() + " sends far more calls than usual: it has " + app.inFlight() + " of the " + all
                        + " that the node works on, and calls wait.",
                "Ask its owner. Give it a quota under apps, or raise workers.max-in-flight if the targets can take more.");
    }
}

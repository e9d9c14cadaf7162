package io.iocluster.node.problem;

import java.time.Duration;

/** Decides from how often something happened whether it has stopped. Stateless. */
final class Recurrence {

    private static final double MIN_SECONDS = 5;

    /** Events that have not occurred for this long have stopped, however rare they were. */
    private static final double MAX_SECONDS = 30;

    private Recurrence() {}

    /**
     * Returns whether events have stopped: none has occurred for three times their mean distance. Random events that continue pause for that
     * long in one of twenty cases (the rule of three: J. A. Hanley and A. Lippman-Hand, <i>If Nothing Goes Wrong, Is Everything All
     * Right?</i>, JAMA 249(13), 1983).
     *
     * @param quiet time since the last event
     * @param events how many events there were in the window
     */
    static boolean hasStopped(Duration quiet, long events, double windowSeconds) {
        double unlikely = events == 0 ? 0 : 3 * windowSeconds / events;
        return quiet.toMillis() / 1e3 > Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, unlikely));
    }
}

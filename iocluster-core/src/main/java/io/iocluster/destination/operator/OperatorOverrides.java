package io.iocluster.destination.operator;

import io.iocluster.destination.operator.OperatorAction.Limit;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.thread.NodeClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Holds the pause and the limits that an operator set for one destination, until they end. Confined to the destination's lock. */
public final class OperatorOverrides {

    private final NodeClock clock;
    private End pauseEnd;
    private Limit limit;
    private End limitEnd;

    /**
     * When an override ends: on the node's monotonic clock, which decides, and on the wall clock, for operators.
     */
    private record End(long nanos, Instant until) {

        Duration remaining(long nowNanos) {
            return Duration.ofNanos(Math.max(0, nanos - nowNanos));
        }

        boolean isPast(long nowNanos) {
            return nanos - nowNanos <= 0;
        }
    }

    /** Creates an object without overrides. */
    public OperatorOverrides(NodeClock clock) {
        this.clock = clock;
    }

    private End endAfter(Duration length, long nowNanos) {
        Instant until = Instant.ofEpochMilli(clock.wallMillis()).plus(length).truncatedTo(ChronoUnit.SECONDS);
        return new End(nowNanos + length.toNanos(), until);
    }

    /** Starts a pause, or replaces the current one. */
    public void pause(Duration length, long nowNanos) {
        pauseEnd = endAfter(length, nowNanos);
    }

    /** Ends the pause, if there is one. */
    public void resume() {
        pauseEnd = null;
    }

    /** Sets limits, or replaces the current ones. */
    public void limit(Limit limits, long nowNanos) {
        limit = limits;
        limitEnd = endAfter(limits.length(), nowNanos);
    }

    /** Ends the limits, if there are any. */
    public void removeLimit() {
        limit = null;
        limitEnd = null;
    }

    /** Returns whether no attempt may start. */
    public boolean isPaused(long nowNanos) {
        return pauseEnd != null && !pauseEnd.isPast(nowNanos);
    }

    /** Returns whether nothing is overridden. */
    public boolean isEmpty() {
        return pauseEnd == null && limit == null;
    }

    /** Returns the policy with the operator's limits in place of the configured ones. */
    public DestinationPolicy applyTo(DestinationPolicy configured) {
        if (limit == null) {
            return configured;
        }
        return configured.withLimits(limit.maxInFlight(), limit.rate());
    }

    /** Removes the overrides whose time is over, and returns their names: {@code pause}, {@code limit}. */
    public List<String> removeEnded(long nowNanos) {
        List<String> ended = new ArrayList<>(0);
        if (pauseEnd != null && pauseEnd.isPast(nowNanos)) {
            resume();
            ended.add("pause");
        }
        if (limitEnd != null && limitEnd.isPast(nowNanos)) {
            removeLimit();
            ended.add("limit");
        }
        return ended;
    }

    /** Returns a snapshot. */
    public OperatorStatus status(long nowNanos) {
        return isEmpty()
                ? OperatorStatus.NONE
                : new OperatorStatus(
                        isPaused(nowNanos)
                                ? new OperatorStatus.Pause(pauseEnd.until(), pauseEnd.remaining(nowNanos))
                                : null,
                        limit == null
                                ? null
                                : new OperatorStatus.Limit(
                                        limit.maxInFlight(),
                                        limit.rate(),
                                        limitEnd.until(),
                                        limitEnd.remaining(nowNanos)));
    }
}

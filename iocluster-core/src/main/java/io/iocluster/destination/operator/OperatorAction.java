package io.iocluster.destination.operator;

import io.iocluster.destination.limit.Breaker;
import io.iocluster.settings.Rate;
import java.time.Duration;

/** An action of an operator on one destination. Immutable. */
public interface OperatorAction {

    /** Applies the action. Called under the destination's lock. */
    void apply(OperatorOverrides overrides, Breaker breaker, long nowNanos);

    /** Starts no attempt for this time. Replaces an earlier pause. */
    record Pause(Duration length) implements OperatorAction {

        @Override
        public void apply(OperatorOverrides overrides, Breaker breaker, long nowNanos) {
            overrides.pause(length, nowNanos);
        }
    }

    /** Ends the operator's pause. */
    record Resume() implements OperatorAction {

        @Override
        public void apply(OperatorOverrides overrides, Breaker breaker, long nowNanos) {
            overrides.resume();
        }
    }

    /**
     * Replaces limits of the configuration for this time. Replaces earlier limits of an operator. They apply to this node, even if the
     * nodes divide the configured ones.
     *
     * @param maxInFlight maximum attempts in flight, 1 or more; null to keep the configured limit
     * @param rate maximum rate; null to keep the configured one
     */
    record Limit(Integer maxInFlight, Rate rate, Duration length) implements OperatorAction {

        @Override
        public void apply(OperatorOverrides overrides, Breaker breaker, long nowNanos) {
            overrides.limit(this, nowNanos);
        }
    }

    /** Ends the operator's limits. */
    record RemoveLimit() implements OperatorAction {

        @Override
        public void apply(OperatorOverrides overrides, Breaker breaker, long nowNanos) {
            overrides.removeLimit();
        }
    }

    /** Closes the breaker and forgets its counts. Does nothing if the breaker is disabled. */
    record ResetBreaker() implements OperatorAction {

        @Override
        public void apply(OperatorOverrides overrides, Breaker breaker, long nowNanos) {
            breaker.reset();
        }
    }
}

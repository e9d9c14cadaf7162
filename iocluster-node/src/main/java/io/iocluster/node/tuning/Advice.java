package io.iocluster.node.tuning;

import io.iocluster.status.StatusField;

/**
 * A verdict with the size that the advisor recommends and the reason.
 *
 * @param reason has the figures behind the verdict
 */
public record Advice(
        @StatusField Verdict verdict,

        @StatusField(nullable = true, doc = "calls in flight that it advises; null for no advice")
        Integer maxInFlight,

        @StatusField(nullable = true, doc = "threads that it advises; null for no advice")
        Integer threads,

        @StatusField(nullable = true, doc = "approximate number of additional nodes; null for no advice")
        Integer additionalNodes,

        @StatusField(doc = "for operators") String reason) {

    static Advice hold(String reason) {
        return new Advice(Verdict.HOLD, null, null, null, reason);
    }

    static Advice sourceEmpty(String reason) {
        return new Advice(Verdict.SOURCE_EMPTY, null, null, null, reason);
    }

    static Advice growInFlight(int to, String reason) {
        return new Advice(Verdict.GROW_IN_FLIGHT, to, null, null, reason);
    }

    static Advice addThreads(int to, String reason) {
        return new Advice(Verdict.ADD_THREADS, null, to, null, reason);
    }

    static Advice addNodes(int about, String reason) {
        return new Advice(Verdict.ADD_NODES, null, null, about, reason);
    }

    /** @param backTo a smaller number of calls in flight with the same throughput; null for no change */
    static Advice targetSaturated(Integer backTo, String reason) {
        return new Advice(Verdict.TARGET_SATURATED, backTo, null, null, reason);
    }
}

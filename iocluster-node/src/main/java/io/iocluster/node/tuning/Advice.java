package io.iocluster.node.tuning;

/**
 * A verdict with the size that the advisor recommends and the reason.
 *
 * @param maxInFlight recommended number of calls in flight; null for no change
 * @param threads recommended number of event loops; null for no change
 * @param additionalNodes estimated number of additional nodes; null for none
 * @param reason text for operators, with the figures behind the verdict
 */
public record Advice(Verdict verdict, Integer maxInFlight, Integer threads, Integer additionalNodes, String reason) {

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

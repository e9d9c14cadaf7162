package io.iocluster.node.tuning;

/**
 * One verdict and why.
 *
 * @param maxInFlight how many calls should be open at once; null: as many as now
 * @param threads how many event loops there should be; null: as many as now
 * @param nodes how many further nodes are needed, roughly; null: none
 * @param reason for people, with the figures that it came from
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

    /** @param backTo how many calls open at once were as good; null: as many as now */
    static Advice targetSaturated(Integer backTo, String reason) {
        return new Advice(Verdict.TARGET_SATURATED, backTo, null, null, reason);
    }
}

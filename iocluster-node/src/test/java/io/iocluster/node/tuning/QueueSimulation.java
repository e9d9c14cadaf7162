package io.iocluster.node.tuning;

import java.util.List;

/**
 * Simulates a node, its queue and its target second by second, as a queue with one server for each slot. All calls take
 * the same time, except that calls beyond the target's capacity wait at the target. Confined to the test's thread.
 */
final class QueueSimulation implements Advisor.ObservationSource, AutoTuner.WorkerResizer {

    double inputPerSecond;
    double latencySeconds = 0.1;
    int targetConcurrency = Integer.MAX_VALUE;
    double cpuSecondsPerCall = 0.00012;
    double cores = 2;
    double maxReadsPerSecond = Double.POSITIVE_INFINITY;
    boolean isLagKnown = true;
    /** The node reads up to this many messages ahead. */
    double maxWaiting;

    double expireAfterSeconds = Double.POSITIVE_INFINITY;
    String stopReason;
    String bottleneck;
    List<SaturatedDestination> saturated = List.of();
    RuntimeException resizeFailure;

    int slots = 50;
    int threads = 2;
    int resizes;
    double queued;
    private double acknowledged;
    private double notMade;
    private double inFlight;
    private double callsPerSecond;

    /** Simulates one second. */
    void advance() {
        double capacity = Math.min(slots, targetConcurrency) / latencySeconds;
        double maxRate = Math.min(Math.min(capacity, maxReadsPerSecond), cores / cpuSecondsPerCall);
        double waiting = queued + inputPerSecond;
        callsPerSecond = stopReason == null ? Math.min(waiting, maxRate) : 0;
        queued = waiting - callsPerSecond;
        double expired = Math.max(0, queued - expireAfterSeconds * inputPerSecond);
        queued -= expired;
        notMade += expired;
        inFlight = queued > 0 && capacity <= maxRate ? slots : callsPerSecond * latencySeconds;
        acknowledged += callsPerSecond;
    }

    private double waitingInNode() {
        return Math.min(queued, maxWaiting);
    }

    double backlogSeconds() {
        return callsPerSecond == 0 ? 0 : queued / callsPerSecond;
    }

    double cpu() {
        return callsPerSecond * cpuSecondsPerCall / cores;
    }

    @Override
    public Observation sample(long nanos) {
        Long lag = isLagKnown ? (Long) Math.round(queued + inFlight) : null;
        return new Observation(
                1,
                nanos,
                stopReason,
                lag,
                Math.round(acknowledged + notMade),
                Math.round(notMade),
                (int) Math.round(inFlight),
                (int) waitingInNode(),
                0,
                slots,
                threads,
                cpu(),
                Math.min(1, cpu() * cores / threads),
                bottleneck,
                false,
                saturated);
    }

    @Override
    public void resize(Integer wantedThreads, Integer maxInFlight) {
        if (resizeFailure != null) {
            throw resizeFailure;
        }
        resizes++;
        threads = wantedThreads == null ? threads : wantedThreads;
        slots = maxInFlight == null ? slots : maxInFlight;
    }
}

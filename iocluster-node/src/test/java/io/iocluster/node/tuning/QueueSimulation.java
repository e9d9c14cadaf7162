package io.iocluster.node.tuning;

import java.util.List;

/**
 * A node, its queue and its target, second by second, as a queue with as many servers as there are places. Every call takes the
 * same time, unless there are more under way than the target makes at once: those wait there.
 */
final class QueueSimulation implements Advisor.ObservationSource, AutoTuner.WorkerResizer {

    double inputPerSecond;
    double latencySeconds = 0.1;
    int targetMakesAtOnce = Integer.MAX_VALUE;
    double cpuSecondsPerCall = 0.00012;
    double cores = 2;
    double readsAtMost = Double.POSITIVE_INFINITY;
    boolean lagIsKnown = true;
    String halted;
    String bound;
    List<SaturatedDestination> strained = List.of();
    RuntimeException refusal;

    int places = 50;
    int threads = 2;
    int resizes;
    double queued;
    private double answered;
    private double calls;
    private double madePerSecond;

    /** One second passes. */
    void pass() {
        double capacity = Math.min(places, targetMakesAtOnce) / latencySeconds;
        double most = Math.min(Math.min(capacity, readsAtMost), cores / cpuSecondsPerCall);
        double waiting = queued + inputPerSecond;
        madePerSecond = halted == null ? Math.min(waiting, most) : 0;
        queued = waiting - madePerSecond;
        calls = queued > 0 && capacity <= most ? places : madePerSecond * latencySeconds;
        answered += madePerSecond;
    }

    double workSeconds() {
        return madePerSecond == 0 ? 0 : queued / madePerSecond;
    }

    double cpu() {
        return madePerSecond * cpuSecondsPerCall / cores;
    }

    @Override
    public Observation sample(long nanos) {
        Long lag = lagIsKnown ? (Long) Math.round(queued + calls) : null;
        return new Observation(
                nanos,
                halted,
                lag,
                Math.round(answered),
                (int) Math.round(calls),
                0,
                0,
                places,
                threads,
                cpu(),
                Math.min(1, cpu() * cores / threads),
                bound,
                false,
                strained);
    }

    @Override
    public void resize(Integer wantedThreads, Integer maxInFlight) {
        if (refusal != null) {
            throw refusal;
        }
        resizes++;
        threads = wantedThreads == null ? threads : wantedThreads;
        places = maxInFlight == null ? places : maxInFlight;
    }
}

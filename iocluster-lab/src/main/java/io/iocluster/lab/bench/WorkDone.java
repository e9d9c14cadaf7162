package io.iocluster.lab.bench;

import java.util.List;

/**
 * What a subject has done until a moment, or between two moments.
 *
 * @param calls number of answers on the queue; between two moments at least one
 * @param nanos this process's {@code nanoTime}, or the time between the moments
 * @param cpuMicros CPU time of all processes of the subject, in microseconds
 * @param targetMicros CPU time of the target, in microseconds
 * @param brokerMicros CPU time of the broker, in microseconds
 */
record WorkDone(long calls, long nanos, long cpuMicros, long targetMicros, long brokerMicros) {

    /**
     * Returns the work until now.
     *
     * @param running the processes of the subject; none before it starts
     */
    static WorkDone now(long calls, BenchEnvironment environment, List<RunningSubject> running) {
        long cpu = running.stream().mapToLong(each -> each.meter().cpuMicros()).sum();
        return new WorkDone(
                calls, System.nanoTime(), cpu, environment.targetCpuMicros(), environment.brokerCpuMicros());
    }

    /** Returns the work from {@code start} until this moment. */
    WorkDone since(WorkDone start) {
        return new WorkDone(
                calls - start.calls,
                nanos - start.nanos,
                cpuMicros - start.cpuMicros,
                targetMicros - start.targetMicros,
                brokerMicros - start.brokerMicros);
    }

    double callsPerSecond() {
        return calls * 1e9 / nanos;
    }

    /** Returns the subject's CPU time for each call, in microseconds. */
    double cpuMicrosPerCall() {
        return (double) cpuMicros / calls;
    }
}

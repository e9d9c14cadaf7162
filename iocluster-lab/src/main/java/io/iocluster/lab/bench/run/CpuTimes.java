package io.iocluster.lab.bench.run;

/** CPU time of each process since it started, or between two moments, in microseconds. */
public record CpuTimes(long subject, long target, long broker) {

    static CpuTimes now(BenchEnvironment environment, RunningSubject running) {
        return new CpuTimes(running.meter().cpuMicros(), environment.targetCpuMicros(), environment.brokerCpuMicros());
    }

    /** Returns the CPU times before the subject's process exists. */
    static CpuTimes now(BenchEnvironment environment) {
        return new CpuTimes(0, environment.targetCpuMicros(), environment.brokerCpuMicros());
    }

    CpuTimes since(CpuTimes start) {
        return new CpuTimes(subject - start.subject, target - start.target, broker - start.broker);
    }
}

package io.iocluster.lab.bench;

import java.util.List;

/** CPU time of each process since it started, or between two moments, in microseconds. */
record CpuTimes(long subject, long target, long broker) {

    static CpuTimes now(BenchEnvironment environment, List<RunningSubject> running) {
        long subjects =
                running.stream().mapToLong(each -> each.meter().cpuMicros()).sum();
        return new CpuTimes(subjects, environment.targetCpuMicros(), environment.brokerCpuMicros());
    }

    /** Returns the CPU times before the subject's process exists. */
    static CpuTimes now(BenchEnvironment environment) {
        return new CpuTimes(0, environment.targetCpuMicros(), environment.brokerCpuMicros());
    }

    CpuTimes since(CpuTimes start) {
        return new CpuTimes(subject - start.subject, target - start.target, broker - start.broker);
    }
}

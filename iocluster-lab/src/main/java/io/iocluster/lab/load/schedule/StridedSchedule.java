package io.iocluster.lab.load.schedule;

/**
 * Every {@code stride}-th call of another schedule: the share of one of several agents. Immutable.
 *
 * @param first number of the first call, less than {@code stride}
 */
record StridedSchedule(Schedule all, int stride, int first) implements Schedule {

    @Override
    public long calls() {
        return Math.max(0, (all.calls() - first + stride - 1) / stride);
    }

    @Override
    public long dueNanos(long call) {
        return all.dueNanos(first + call * stride);
    }

    @Override
    public double expectedCalls(long offsetNanos) {
        return Math.max(0, (all.expectedCalls(offsetNanos) - first) / stride);
    }

    @Override
    public long durationNanos() {
        return all.durationNanos();
    }
}

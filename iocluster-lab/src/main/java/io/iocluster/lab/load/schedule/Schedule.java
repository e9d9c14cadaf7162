package io.iocluster.lab.load.schedule;

import io.iocluster.lab.load.experiment.Phase;

/** When the calls of an open loop are due. Immutable. Offsets are in nanoseconds since the first call may be due. */
public interface Schedule {

    /** Returns the number of calls. */
    long calls();

    /** Returns when a call is due, counted from 0. */
    long dueNanos(long call);

    /** Returns the time integral of the rate until an offset, which is about the number of calls that are due before it. */
    double expectedCalls(long offsetNanos);

    /** Returns the length of the schedule: the call after the last one would be due no earlier. */
    long durationNanos();

    /** Returns the number of calls that are due before an offset. */
    default long callsBefore(long offsetNanos) {
        // Less than the rounding of due times to nanoseconds at the highest rate.
        return Math.min(calls(), (long) Math.ceil(expectedCalls(offsetNanos) - 1e-6));
    }

    /** Returns the number of the call that is due at this offset. */
    default long callAt(long offsetNanos) {
        return Math.round(expectedCalls(offsetNanos));
    }

    /** Returns this many calls at a constant rate. */
    static Schedule constant(double callsPerSecond, long calls) {
        return RateSchedule.constant(callsPerSecond, calls);
    }

    /** Returns the schedule of a phase whose shape is a rate over time. */
    static Schedule of(Phase phase) {
        double from = Phase.perSecond(phase.from());
        double to = Phase.perSecond(phase.to());
        double seconds = phase.duration().toNanos() / 1e9;
        RateSchedule.Builder rates = new RateSchedule.Builder();
        return switch (phase.shape()) {
            case CONSTANT -> rates.hold(Phase.perSecond(phase.rate()), seconds).build();
            case RAMP -> rates.ramp(from, to, seconds).build();
            case STEP -> {
                double step = seconds / phase.steps();
                for (int i = 0; i < phase.steps(); i++) {
                    rates.hold(from + (to - from) * i / (phase.steps() - 1), step);
                }
                yield rates.build();
            }
            case SPIKE ->
                rates.hold(from, seconds / 3)
                        .hold(to, seconds / 3)
                        .hold(from, seconds / 3)
                        .build();
            case SINE ->
                new SineSchedule(
                        from,
                        to,
                        phase.period().toNanos() / 1e9,
                        phase.duration().toNanos());
            case USERS, REPLAY, SEARCH -> throw new IllegalArgumentException("no schedule for " + phase.shape());
        };
    }

    /** Returns the calls number {@code first}, {@code first + stride} and so on. */
    default Schedule every(int stride, int first) {
        return stride == 1 ? this : new StridedSchedule(this, stride, first);
    }
}

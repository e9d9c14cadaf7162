package io.iocluster.lab.load.schedule;

import java.util.ArrayList;
import java.util.List;

/** A schedule of parts, in each of which the rate changes linearly. Immutable. */
final class RateSchedule implements Schedule {

    private final Part[] parts;
    private final long calls;

    /**
     * A part of the schedule.
     *
     * @param start in seconds
     * @param before expected calls before it
     * @param from rate at its start, in calls per second
     * @param to rate at its end
     */
    private record Part(double start, double before, double from, double to, double seconds) {

        double end() {
            return start + seconds;
        }

        double expected() {
            return (from + to) / 2 * seconds;
        }

        double expectedUntil(double offset) {
            double time = Math.min(seconds, offset - start);
            return before + from * time + (to - from) / (2 * seconds) * time * time;
        }

        /** Solves {@link #expectedUntil} for the time, in the form that is exact for a constant rate too. */
        double due(double call) {
            double number = call - before;
            double root = Math.sqrt(Math.max(0, from * from + 2 * number * (to - from) / seconds));
            return number == 0 ? start : start + 2 * number / (from + root);
        }
    }

    private RateSchedule(List<Part> parts, long calls) {
        this.parts = parts.toArray(Part[]::new);
        this.calls = calls;
    }

    static RateSchedule constant(double callsPerSecond, long calls) {
        double seconds = calls / callsPerSecond;
        return new RateSchedule(List.of(new Part(0, 0, callsPerSecond, callsPerSecond, seconds)), calls);
    }

    @Override
    public long calls() {
        return calls;
    }

    @Override
    public long dueNanos(long call) {
        return Math.round(partOf(call).due(call) * 1e9);
    }

    private Part partOf(long call) {
        int low = 0;
        int high = parts.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (parts[middle].before <= call) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return parts[low];
    }

    @Override
    public double expectedCalls(long offsetNanos) {
        double offset = offsetNanos / 1e9;
        double expected = 0;
        for (Part part : parts) {
            if (offset <= part.start) {
                break;
            }
            expected = part.expectedUntil(offset);
        }
        return expected;
    }

    @Override
    public long durationNanos() {
        return Math.round(parts[parts.length - 1].end() * 1e9);
    }

    /** Collects the parts. Confined to one thread. */
    static final class Builder {

        private final List<Part> parts = new ArrayList<>();
        private double start;
        private double before;

        Builder hold(double rate, double seconds) {
            return ramp(rate, rate, seconds);
        }

        Builder ramp(double from, double to, double seconds) {
            Part part = new Part(start, before, from, to, seconds);
            parts.add(part);
            start = part.end();
            before += part.expected();
            return this;
        }

        RateSchedule build() {
            return new RateSchedule(parts, (long) Math.ceil(before - 1e-6));
        }
    }
}

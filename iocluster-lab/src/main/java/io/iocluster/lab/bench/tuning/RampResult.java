package io.iocluster.lab.bench.tuning;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The measurements of one node while its input rate rose in steps.
 *
 * @param advisor the advisor's mode
 * @param rates calls sent per second, for each step
 * @param seconds length of each step
 * @param samples one for each second
 * @param sizeChanges the changes that the advisor made, in order
 */
record RampResult(
        String advisor,
        List<Integer> rates,
        int seconds,
        List<RampSample> samples,
        List<SizeChange> sizeChanges,
        long answered,
        long cpuMicros,
        long peakResidentBytes,
        long peakHeapBytes) {

    private static final int RATE_WINDOW_SECONDS = 3;
    private static final int CPU_WINDOW_SECONDS = 5;

    RampResult {
        rates = List.copyOf(rates);
        samples = List.copyOf(samples);
        sizeChanges = List.copyOf(sizeChanges);
    }

    /**
     * The measurements of one second.
     *
     * @param second seconds since the start, at the end of the sample
     * @param lag calls sent and not yet answered
     * @param answered calls answered in this second
     * @param cpu share of all cores that the node used, from 0 to 1
     */
    record RampSample(int second, long lag, long answered, int inFlight, int inFlightLimit, double cpu) {}

    /**
     * A change of the in-flight limit.
     *
     * @param second seconds since the start
     */
    record SizeChange(double second, int before, int after) {

        boolean reverses(SizeChange earlier) {
            return (after > before) != (earlier.after > earlier.before);
        }
    }

    /** Returns the result of each step. */
    List<RampStepResult> stepResults() {
        return IntStream.range(0, rates.size()).mapToObj(this::stepResults).toList();
    }

    private RampStepResult stepResults(int step) {
        int from = step * seconds;
        int to = Math.min(samples.size(), from + seconds);
        double recovered = 0;
        double peak = 0;
        for (int i = from; i < to; i++) {
            if (samples.get(i).lag() > averageRate(i)) {
                recovered = i == to - 1 ? Double.POSITIVE_INFINITY : i + 1.0 - from;
            }
            peak = Math.max(peak, cpu(Math.max(from, i - CPU_WINDOW_SECONDS + 1), i + 1));
        }
        int stepChanges =
                (int) sizeChanges.stream().filter(change -> isIn(change, step)).count();
        int reversals =
                (int) reversals().stream().filter(change -> isIn(change, step)).count();
        return new RampStepResult(
                advisor,
                rates.get(step),
                recovered,
                100 * peak,
                samples.get(to - 1).inFlightLimit(),
                stepChanges,
                reversals);
    }

    private boolean isIn(SizeChange change, int step) {
        return change.second() >= step * seconds && change.second() < (step + 1) * seconds;
    }

    private double averageRate(int index) {
        return samples.subList(Math.max(0, index - RATE_WINDOW_SECONDS + 1), index + 1).stream()
                .mapToLong(RampSample::answered)
                .average()
                .orElse(0);
    }

    private double cpu(int from, int to) {
        return samples.subList(from, to).stream()
                .mapToDouble(RampSample::cpu)
                .average()
                .orElse(0);
    }

    private List<SizeChange> reversals() {
        return IntStream.range(1, sizeChanges.size())
                .filter(i -> sizeChanges.get(i).reverses(sizeChanges.get(i - 1)))
                .mapToObj(sizeChanges::get)
                .toList();
    }

    /** Returns the highest number of reversals within any minute. */
    int maxReversalsPerMinute() {
        List<SizeChange> all = reversals();
        return (int) all.stream()
                .mapToLong(first -> all.stream()
                        .filter(change -> change.second() >= first.second() && change.second() < first.second() + 60)
                        .count())
                .max()
                .orElse(0);
    }
}

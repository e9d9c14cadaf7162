package io.iocluster.lab.bench.tuning;

import java.util.List;
import java.util.stream.IntStream;

/**
 * What one node did while its input rose step by step.
 *
 * @param advisor the mode of its advisor
 * @param rates calls a second that were sent, step by step
 * @param seconds how long each step was
 * @param moments one a second
 * @param turns when the node changed its size by itself, in order
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

    private static final int RATE_OVER = 3;
    private static final int CPU_OVER = 5;

    RampResult {
        rates = List.copyOf(rates);
        samples = List.copyOf(samples);
        sizeChanges = List.copyOf(sizeChanges);
    }

    /**
     * One second.
     *
     * @param second the number of seconds that were over at its end
     * @param lag calls that were sent and not answered by then
     * @param answered calls answered in it
     * @param cpu what the node took of all cores in it, from 0 to 1
     */
    record RampSample(int second, long lag, long answered, int inFlight, int inFlightLimit, double cpu) {}

    /**
     * A change of the size.
     *
     * @param second how many seconds after the start
     */
    record SizeChange(double second, int before, int after) {

        boolean reverses(SizeChange earlier) {
            return (after > before) != (earlier.after > earlier.before);
        }
    }

    /** The figures of each step. */
    List<RampStepResult> stepResults() {
        return IntStream.range(0, rates.size()).mapToObj(this::stepResults).toList();
    }

    private RampStepResult stepResults(int step) {
        int from = step * seconds;
        int to = Math.min(samples.size(), from + seconds);
        double recovered = 0;
        double peak = 0;
        for (int i = from; i < to; i++) {
            if (samples.get(i).lag() > perSecond(i)) {
                recovered = i == to - 1 ? Double.POSITIVE_INFINITY : i + 1.0 - from;
            }
            peak = Math.max(peak, cpu(Math.max(from, i - CPU_OVER + 1), i + 1));
        }
        int stepTurns =
                (int) sizeChanges.stream().filter(turn -> isIn(turn, step)).count();
        int reversals =
                (int) reversals().stream().filter(turn -> isIn(turn, step)).count();
        return new RampStepResult(
                advisor,
                rates.get(step),
                recovered,
                100 * peak,
                samples.get(to - 1).inFlightLimit(),
                stepTurns,
                reversals);
    }

    private boolean isIn(SizeChange turn, int step) {
        return turn.second() >= step * seconds && turn.second() < (step + 1) * seconds;
    }

    private double perSecond(int index) {
        return samples.subList(Math.max(0, index - RATE_OVER + 1), index + 1).stream()
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

    /** The most reversals within any minute. */
    int maxReversalsPerMinute() {
        List<SizeChange> all = reversals();
        return (int) all.stream()
                .mapToLong(first -> all.stream()
                        .filter(turn -> turn.second() >= first.second() && turn.second() < first.second() + 60)
                        .count())
                .max()
                .orElse(0);
    }
}

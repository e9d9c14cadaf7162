package io.iocluster.lab.bench.tuning;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The result of one step of the ramp.
 *
 * @param advisor the advisor's mode
 * @param rate calls sent per second
 * @param recoveredSeconds seconds after the step's start from which the lag stayed below one second of work; infinite
 *     if it was higher at the end of the step
 * @param peakCpuPercent highest CPU use over five seconds, in percent of all cores
 * @param inFlightLimit at the end of the step
 * @param sizeChanges number of changes that the advisor made
 * @param reversals number of changes in the opposite direction of the previous one
 */
public record RampStepResult(
        String advisor,
        int rate,
        double recoveredSeconds,
        double peakCpuPercent,
        int inFlightLimit,
        int sizeChanges,
        int reversals) {

    private static final List<String> NAMES =
            List.of("recovered s", "peak CPU %", "in flight limit", "steps", "reversals");

    /** Adds the values under names that contain the advisor's mode and the rate. */
    void addToExtras(Map<String, Double> extras) {
        List<Double> values = List.of(
                recoveredSeconds, peakCpuPercent, (double) inFlightLimit, (double) sizeChanges, (double) reversals);
        for (int i = 0; i < values.size(); i++) {
            extras.put(advisor + " " + rate + "/s " + NAMES.get(i), values.get(i));
        }
    }

    /** Returns the results of all steps that were added to the map. */
    public static List<RampStepResult> fromExtras(Map<String, Double> extras) {
        List<RampStepResult> all = new ArrayList<>();
        for (String name : extras.keySet()) {
            if (name.endsWith("/s " + NAMES.get(0))) {
                String[] words = name.split("[ /]", 3);
                String stem = name.substring(0, name.length() - NAMES.get(0).length());
                List<Double> values =
                        NAMES.stream().map(each -> extras.get(stem + each)).toList();
                all.add(new RampStepResult(
                        words[0],
                        Integer.parseInt(words[1]),
                        values.get(0),
                        values.get(1),
                        values.get(2).intValue(),
                        values.get(3).intValue(),
                        values.get(4).intValue()));
            }
        }
        return all;
    }
}

package io.iocluster.lab.bench.tuning;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How a node stood one step of its input.
 *
 * @param advisor the mode of its advisor
 * @param rate calls sent a second
 * @param recoveredSeconds from when on, after the step, the lag was under one second of work; infinite if it was not at its end
 * @param peakCpuPercent of all cores, the most over five seconds
 * @param inFlightLimit at the step's end
 * @param steps how often the node changed its size by itself
 * @param reversals how often it went the other way than before
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

    /** Adds them under names that say of which node and step they are. */
    void addToExtras(Map<String, Double> extras) {
        List<Double> values = List.of(
                recoveredSeconds, peakCpuPercent, (double) inFlightLimit, (double) sizeChanges, (double) reversals);
        for (int i = 0; i < values.size(); i++) {
            extras.put(advisor + " " + rate + "/s " + NAMES.get(i), values.get(i));
        }
    }

    /** Those of all steps that were added. */
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

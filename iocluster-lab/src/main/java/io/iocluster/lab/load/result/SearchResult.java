package io.iocluster.lab.load.result;

import java.util.List;

/**
 * The result of a search for the highest rate.
 *
 * @param bestRate highest rate in calls per second that met the objective; null if none did
 * @param failedRate lowest rate that did not meet it; null if all did
 */
public record SearchResult(String phase, Double bestRate, Double failedRate, List<Trial> trials) {

    public SearchResult {
        trials = List.copyOf(trials);
    }

    /**
     * One trial.
     *
     * @param rate calls per second that were due
     * @param fromSeconds when it started, in seconds since the start of the run
     * @param met whether it met the objective
     * @param reason the condition that was not met, with its value; null if {@code met}
     */
    public record Trial(
            double rate, double fromSeconds, double toSeconds, boolean met, String reason, TemplateResult calls) {}
}

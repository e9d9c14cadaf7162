package io.iocluster.lab.load.result;

/**
 * The outcome of an expectation.
 *
 * @param text the expectation as written
 * @param actual the value, for people: {@code 212 ms}, {@code 0.03 %}, or why there is none
 * @param value the value in the unit of the expectation; null if there is none
 * @param threshold in the same unit
 */
public record ExpectationOutcome(String text, State state, String actual, Double value, double threshold) {

    /** Whether an expectation is met. */
    public enum State {
        MET,
        FAILED,
        /** There are too few values to tell. The run does not succeed. */
        UNKNOWN
    }
}

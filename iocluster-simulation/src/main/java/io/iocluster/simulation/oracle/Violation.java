package io.iocluster.simulation.oracle;

/**
 * A promise that a run broke.
 *
 * @param millis when the oracle saw it, in virtual time
 */
public record Violation(Promise promise, long millis, String what) {

    @Override
    public String toString() {
        return promise + " at " + millis + " ms: " + what;
    }
}

package io.iocluster.testkit.simulation;

/**
 * Ends a run that would not end by itself. An error, because code that catches exceptions must not stop it. Each further task of the run
 * throws it again.
 */
public final class EndlessRun extends Error {

    private static final long serialVersionUID = 1;

    EndlessRun(String message) {
        super(message, null, false, true);
    }
}

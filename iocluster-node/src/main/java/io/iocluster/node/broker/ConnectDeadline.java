package io.iocluster.node.broker;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Limits how long a command waits for its broker. It fails within five seconds, because users then suspect that it hangs. Immutable.
 *
 * @param start when the user started the command
 */
record ConnectDeadline(Instant start, InstantSource clock) {

    /** Five seconds, minus the time that the process needs to end. */
    private static final Duration TOTAL = Duration.ofMillis(4_700);

    /** On a busy machine the start of the JVM may take most of the total. */
    private static final Duration MIN = Duration.ofSeconds(3);

    private static final long ROUNDED_MILLIS = 100;

    /** Returns the time from now on, at least 3 s. In some containers a process starts in the future; then it has all of its time left. */
    Duration left() {
        long millis = TOTAL.minus(Duration.between(start, clock.instant())).toMillis();
        long bounded = Math.max(MIN.toMillis(), Math.min(TOTAL.toMillis(), millis));
        return Duration.ofMillis(bounded / ROUNDED_MILLIS * ROUNDED_MILLIS);
    }
}

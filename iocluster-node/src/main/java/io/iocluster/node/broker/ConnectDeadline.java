package io.iocluster.node.broker;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * How long a command waits for its broker. Users suspect after five seconds that it hangs, so it then has failed with the address.
 * Immutable.
 *
 * @param start when the user started the command
 */
record ConnectDeadline(Instant start, InstantSource clock) {

    /** Five seconds, without the time in which a process ends. */
    private static final Duration TOTAL = Duration.ofMillis(4_700);

    /** The machine may be so busy that the JVM has taken most of the time to start. */
    private static final Duration MIN = Duration.ofSeconds(3);

    private static final long ROUNDED_MILLIS = 100;

    /** Returns the time from now on, at least 3 s. */
    Duration left() {
        Duration left = TOTAL.minus(Duration.between(start, clock.instant()));
        return left.compareTo(MIN) < 0 ? MIN : Duration.ofMillis(left.toMillis() / ROUNDED_MILLIS * ROUNDED_MILLIS);
    }
}

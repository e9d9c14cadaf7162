package io.iocluster.pipeline.outbox;

import java.time.Duration;

/** Computes the wait before an answer or a delayed retry is published again. Stateless. */
public final class PublishBackoff {

    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration LAST = Duration.ofSeconds(5);

    private PublishBackoff() {}

    /** Returns the wait in nanoseconds after this number of failures, 1 or more. It doubles with each failure, up to 5 s. */
    public static long nanosAfter(int failures) {
        return Math.min(LAST.toNanos(), FIRST.toNanos() << Math.min(10, failures - 1));
    }
}

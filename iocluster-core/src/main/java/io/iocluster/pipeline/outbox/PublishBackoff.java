package io.iocluster.pipeline.outbox;

import java.time.Duration;

/** Computes how long to wait before something that could not be published is published again. Stateless. */
public final class PublishBackoff {

    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration LAST = Duration.ofSeconds(5);

    private PublishBackoff() {}

    /** Returns the wait after this number of failures, at least 1. It doubles with each one. */
    public static long nanosAfter(int failures) {
        return Math.min(LAST.toNanos(), FIRST.toNanos() << Math.min(10, failures - 1));
    }
}

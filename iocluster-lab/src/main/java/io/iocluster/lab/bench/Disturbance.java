package io.iocluster.lab.bench;

import java.time.Duration;

/** What other calls on a shared connection do while the siblings scenario measures. */
enum Disturbance {
    /** There are no other calls. */
    NONE("alone", "", Duration.ZERO),
    /** The other calls end like the siblings. Shows what their CPU time costs, whatever connection they use. */
    ORDINARY("beside ordinary calls", "/delay?ms=20", Duration.ofMinutes(1)),
    /** The target never answers, and the node cancels the call. */
    CANCELLED("beside cancelled calls", "/never", Duration.ofMinutes(1)),
    /** The target never answers, and the call times out. */
    TIMED_OUT("beside timeouts", "/never", Duration.ofMillis(20)),
    /** The body of the response takes half a second, in ten parts, so that it needs little CPU time. */
    SLOW("beside slow bodies", "/drip?bytes=50000&part=5000&every=50", Duration.ofMinutes(1));

    private final String label;
    private final String path;
    private final Duration timeout;

    Disturbance(String label, String path, Duration timeout) {
        this.label = label;
        this.path = path;
        this.timeout = timeout;
    }

    /** Returns the name in the report. */
    String label() {
        return label;
    }

    /** Returns the path of the other calls; empty if there are none. */
    String path() {
        return path;
    }

    /** Returns the timeout of the other calls. */
    Duration timeout() {
        return timeout;
    }
}

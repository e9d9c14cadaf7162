package io.iocluster.pipeline;

import java.util.Locale;

/** A pipeline's life, in order; it never goes back. */
public enum PipelineState {
    NEW,
    RUNNING,
    /** Reads nothing more and finishes what it has. */
    DRAINING,
    STOPPED;

    /** What people and the admin API call it. */
    public String wireName() {
        return this == NEW ? "starting" : name().toLowerCase(Locale.ROOT);
    }
}

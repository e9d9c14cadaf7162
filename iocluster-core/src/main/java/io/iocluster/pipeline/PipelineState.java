package io.iocluster.pipeline;

import java.util.Locale;

/** The lifecycle of a pipeline, in order. A pipeline never returns to an earlier state. */
public enum PipelineState {
    NEW,
    RUNNING,
    /** Reads nothing more and finishes what it has. */
    DRAINING,
    STOPPED;

    /** Returns the name in the admin API and in logs. */
    public String wireName() {
        return this == NEW ? "starting" : name().toLowerCase(Locale.ROOT);
    }
}

package io.iocluster.pipeline;

/** A pipeline's life, in order; it never goes back. */
public enum PipelineState {
    NEW,
    RUNNING,
    /** Reads nothing more and finishes what it has. */
    DRAINING,
    STOPPED
}

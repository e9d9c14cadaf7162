package io.iocluster.lab.load.fault;

import java.io.IOException;

/**
 * Something that an experiment breaks, and its repair. Confined to one thread at a time. The caller calls {@link #prepare},
 * {@link #apply} and {@link #undo} in this order; {@code undo} even if {@code apply} failed, because it may have worked in
 * part.
 */
interface FaultAction {

    /** Returns what the fault does, in a line for people. */
    String description();

    /** Reads the state that {@link #undo} restores. */
    default void prepare() throws IOException, InterruptedException {}

    /** Starts the fault. */
    void apply() throws IOException, InterruptedException;

    /** Ends the fault. */
    void undo() throws IOException, InterruptedException;
}

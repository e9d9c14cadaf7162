package io.iocluster.testkit.simulation;

/** Unwinds the stack of a task that waits when its process is killed. An error, because code that catches exceptions must not stop it. */
final class ProcessKilled extends Error {

    private static final long serialVersionUID = 1;

    ProcessKilled() {
        super("process killed", null, false, false);
    }
}

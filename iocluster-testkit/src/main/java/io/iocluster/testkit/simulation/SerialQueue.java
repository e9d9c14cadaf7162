package io.iocluster.testkit.simulation;

import java.util.ArrayDeque;
import java.util.Queue;

/** Runs tasks one after the other in their order, as one thread does, also while a task blocks. Confined to the simulation's thread. */
final class SerialQueue {

    private final SimulatedProcess process;
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private boolean running;
    private boolean scheduled;

    SerialQueue(SimulatedProcess process) {
        this.process = process;
    }

    void add(Runnable task) {
        tasks.add(task);
        if (!running && !scheduled) {
            scheduled = true;
            process.execute(0, this::runAll);
        }
    }

    /** Returns whether a task runs now. */
    boolean isRunning() {
        return running;
    }

    private void runAll() {
        scheduled = false;
        running = true;
        try {
            for (Runnable next = tasks.poll(); next != null; next = tasks.poll()) {
                process.simulation().countTask();
                next.run();
            }
        } finally {
            running = false;
            if (!tasks.isEmpty()) { // A task has thrown.
                scheduled = true;
                process.execute(0, this::runAll);
            }
        }
    }
}

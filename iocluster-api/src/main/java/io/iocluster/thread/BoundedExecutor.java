package io.iocluster.thread;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Runs at most this number of tasks at once on another executor. Further ones wait in their order. If the other executor cannot start a
 * thread, the caller runs the tasks. Thread-safe; guarded by itself.
 */
public final class BoundedExecutor implements Executor {

    private final Executor threads;
    private final int maxRunning;

    private final Queue<Runnable> waiting = new ArrayDeque<>(0);
    private int running;
    private boolean closed;

    /** @param threads starts each task at once */
    public BoundedExecutor(Executor threads, int maxRunning) {
        this.threads = threads;
        this.maxRunning = maxRunning;
    }

    /**
     * Runs the task now or after those that wait. The task must not throw.
     *
     * @throws RejectedExecutionException if this is closed
     */
    @Override
    public void execute(Runnable task) {
        synchronized (this) {
            if (closed) {
                throw new RejectedExecutionException("the executor is closed");
            }
            if (running == maxRunning) {
                waiting.add(task);
                return;
            }
            running++;
        }
        try {
            threads.execute(() -> runFrom(task));
        } catch (Throwable noThread) {
            runFrom(task); // Tasks that wait may rely on this thread.
        }
    }

    private void runFrom(Runnable first) {
        Runnable next = first;
        try {
            for (; next != null; next = next()) {
                next.run();
            }
        } finally {
            if (next != null) {
                ended();
            }
        }
    }

    private synchronized Runnable next() {
        Runnable next = waiting.poll();
        if (next == null) {
            running--;
        }
        return next;
    }

    private synchronized void ended() {
        running--;
    }

    /** Accepts no further tasks. Returns those that have not started, and forgets them. */
    public synchronized List<Runnable> close() {
        closed = true;
        List<Runnable> unstarted = List.copyOf(waiting);
        waiting.clear();
        return unstarted;
    }
}

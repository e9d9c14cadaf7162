package io.iocluster.rabbit.connection;

import io.iocluster.thread.Platform;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** An unbounded queue whose reader can wait for an element. Any thread adds; one thread at a time polls. */
public final class BlockingMailbox<T> {

    private final Platform platform;
    private final Queue<T> elements = new ConcurrentLinkedQueue<>();
    /** Completed by the next {@link #add}; null if the reader does not wait. */
    private volatile CompletableFuture<Void> arrival;

    public BlockingMailbox(Platform platform) {
        this.platform = platform;
    }

    /** Adds an element. Does not block. */
    public void add(T element) {
        elements.add(element);
        CompletableFuture<Void> awaited = arrival;
        if (awaited != null) {
            awaited.complete(null);
        }
    }

    /** Removes and returns the next element; null if there is none. */
    public T poll() {
        return elements.poll();
    }

    /**
     * Waits for the next element and removes it.
     *
     * @return null if there is none within this time
     */
    public T poll(Duration within) throws InterruptedException {
        T present = elements.poll();
        if (present != null || within.isNegative() || within.isZero()) {
            return present;
        }
        CompletableFuture<Void> awaited = new CompletableFuture<>();
        arrival = awaited;
        try {
            // An element that was added before the write above does not complete the future.
            if (elements.isEmpty()) {
                platform.await(awaited, within);
            }
        } finally {
            arrival = null;
        }
        return elements.poll();
    }
}

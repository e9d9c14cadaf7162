package io.iocluster.http.connect;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * Limits the connections that are being opened to one host and port at the same time; the others wait in FIFO order. Confined
 * to one event loop.
 *
 * <p>A listen backlog is short (on Linux {@code net.core.somaxconn}, 128 before 5.4). If it is full, the SYN is
 * dropped, and TCP sends it again only after 1 s, 3 s and 7 s (RFC 6298).
 */
public final class ConnectThrottle {

    private final Executor loop;
    private final int maxConcurrent;
    private final Map<InetSocketAddress, ConnectQueue> queues = new HashMap<>();

    /**
     * Creates a throttle without open permits.
     *
     * @param loop runs the tasks that had to wait
     * @param maxConcurrent maximum permits for each address, at least 1
     */
    public ConnectThrottle(Executor loop, int maxConcurrent) {
        this.loop = loop;
        this.maxConcurrent = maxConcurrent;
    }

    /**
     * Runs the task when the address has a free permit: now, or after another permit was released. The task holds the
     * permit until {@link #release}.
     *
     * @param address an unresolved address
     */
    void acquire(InetSocketAddress address, Runnable task) {
        ConnectQueue queue = queues.computeIfAbsent(address, absent -> new ConnectQueue());
        if (queue.inUse < maxConcurrent) {
            queue.inUse++;
            task.run();
        } else {
            queue.waiting.add(task);
        }
    }

    /** Releases one permit of the address. */
    public void release(InetSocketAddress address) {
        ConnectQueue queue = queues.get(address);
        Runnable next = queue.waiting.poll();
        if (next != null) {
            // Not called directly: if many waiting calls are over by now, each would release its permit inside the
            // previous release.
            loop.execute(next);
        } else if (--queue.inUse == 0) {
            queues.remove(address);
        }
    }

    /** Returns the number of addresses with open permits. */
    public int targetCount() {
        return queues.size();
    }

    private static final class ConnectQueue {

        private final Queue<Runnable> waiting = new ArrayDeque<>();
        private int inUse;
    }
}

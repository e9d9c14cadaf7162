package io.iocluster.http.dns;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * How many connections are being opened to each host and port: up to a limit at once, the others first come, first served. A
 * listen backlog is short (on Linux {@code net.core.somaxconn}, 128 before 5.4), and a SYN that finds it full is lost until
 * TCP sends it again, after 1 s, 3 s and 7 s (RFC 6298).
 *
 * <p>Confined to one event loop.
 */
public final class ConnectThrottle {

    private final Executor loop;
    private final int atOnce;
    private final Map<InetSocketAddress, ConnectQueue> lines = new HashMap<>();

    /**
     * Nothing is being opened yet.
     *
     * @param loop runs what had to wait
     * @param atOnce most turns to one place, at least 1
     */
    public ConnectThrottle(Executor loop, int atOnce) {
        this.loop = loop;
        this.atOnce = atOnce;
    }

    /**
     * Runs this in its turn: now, or once another turn there is over. The turn lasts until {@link #release}.
     *
     * @param place an unresolved address
     */
    void acquire(InetSocketAddress place, Runnable opening) {
        ConnectQueue line = lines.computeIfAbsent(place, any -> new ConnectQueue());
        if (line.taken < atOnce) {
            line.taken++;
            opening.run();
        } else {
            line.waiting.add(opening);
        }
    }

    /** Ends one turn there. */
    public void release(InetSocketAddress place) {
        ConnectQueue line = lines.get(place);
        Runnable next = line.waiting.poll();
        if (next != null) {
            // Not from in here: many whose calls are over meanwhile end their turn at once, one within the other.
            loop.execute(next);
        } else if (--line.taken == 0) {
            lines.remove(place);
        }
    }

    /** How many places something is being opened to. */
    public int targetCount() {
        return lines.size();
    }

    private static final class ConnectQueue {

        private final Queue<Runnable> waiting = new ArrayDeque<>();
        private int taken;
    }
}

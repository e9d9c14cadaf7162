package io.iocluster.http.ahc;

import io.iocluster.http.HttpExecutor;
import java.util.concurrent.atomic.AtomicInteger;

/** The connections of one executor. Written on its event loop only, read from any thread. */
final class ConnectionCounter {

    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger busy = new AtomicInteger();

    void opened() {
        add(open, 1);
    }

    void closed() {
        add(open, -1);
    }

    void becameBusy() {
        add(busy, 1);
    }

    void becameIdle() {
        add(busy, -1);
    }

    HttpExecutor.ConnectionStats snapshot() {
        int active = busy.get();
        return new HttpExecutor.ConnectionStats(active, Math.max(0, open.get() - active));
    }

    /** One writer needs no atomic addition, and readers may see it a moment late. */
    private static void add(AtomicInteger counter, int delta) {
        counter.lazySet(counter.get() + delta);
    }
}

package io.iocluster.http.client;

import io.iocluster.http.HttpExecutor;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the connections of one executor. Written on its event loop only; read from any thread. */
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

    HttpExecutor.ConnectionStats snapshot(int hosts) {
        int active = busy.get();
        return new HttpExecutor.ConnectionStats(active, Math.max(0, open.get() - active), hosts);
    }

    /** Needs no atomic addition, because there is one writer; readers may see the value a moment late. */
    private static void add(AtomicInteger counter, int delta) {
        counter.lazySet(counter.get() + delta);
    }
}

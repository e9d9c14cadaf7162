package io.iocluster.bench;

import io.iocluster.testkit.target.BlackHole;
import io.iocluster.testkit.target.TargetProcess;

/** The hosts that the fairness scenario calls, each on an address of its own. Used by one thread; URLs are for any. */
final class Callees implements AutoCloseable {

    private final TargetProcess good;
    private final TargetProcess slow = TargetProcess.start("127.0.0.2", 1, false);
    private final TargetProcess failing = TargetProcess.start("127.0.0.3", 1, false);
    private final BlackHole dead = BlackHole.open("127.0.0.4");

    /** Starts the bad ones; the good one is not closed with them. */
    Callees(TargetProcess good) {
        this.good = good;
    }

    String url(Callee callee) {
        return switch (callee) {
            case GOOD -> good.url("/delay?ms=100");
            case DEAD -> dead.url("/ok");
            case SLOW -> slow.url("/delay?ms=5000");
            case FAILING -> failing.url("/status?code=503");
        };
    }

    @Override
    public void close() {
        dead.close();
        failing.close();
        slow.close();
    }
}

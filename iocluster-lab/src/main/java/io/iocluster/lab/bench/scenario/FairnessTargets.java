package io.iocluster.lab.bench.scenario;

import io.iocluster.testkit.target.BlackHole;
import io.iocluster.testkit.target.TargetProcess;

/** The hosts that the fairness scenario calls, each on an address of its own. Used by one thread; URLs are for any. */
final class FairnessTargets implements AutoCloseable {

    private final TargetProcess good;
    private final TargetProcess slow;
    private final TargetProcess failing;
    private final BlackHole dead;

    private FairnessTargets(TargetProcess good, int firstBad) {
        this.good = good;
        this.slow = TargetProcess.start("127.0.0." + firstBad, 1, false);
        this.failing = TargetProcess.start("127.0.0." + (firstBad + 1), 1, false);
        this.dead = BlackHole.open("127.0.0." + (firstBad + 2));
    }

    /** Starts the bad ones; the good one is not closed with them. */
    static FairnessTargets startBadTargets(TargetProcess good) {
        return new FairnessTargets(good, 2);
    }

    /** Others that behave alike, of which a node learns nothing about those of {@link #startBadTargets}. */
    static FairnessTargets startWarmUpTargets(TargetProcess good) {
        return new FairnessTargets(good, 12);
    }

    String url(FairnessTarget callee) {
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

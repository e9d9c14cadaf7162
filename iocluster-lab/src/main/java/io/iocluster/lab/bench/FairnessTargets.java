package io.iocluster.lab.bench;

import io.iocluster.testkit.target.BlackHole;
import io.iocluster.testkit.target.TargetProcess;

/** The hosts of the fairness scenario, each with its own address. Confined to one thread, except {@link #url}. */
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

    /** Starts the bad hosts; {@link #close} does not close the good one. */
    static FairnessTargets startBadTargets(TargetProcess good) {
        return new FairnessTargets(good, 2);
    }

    /**
     * Starts bad hosts for the warm-up, on other addresses than {@link #startBadTargets}, so that a node has no state
     * for those.
     */
    static FairnessTargets startWarmUpTargets(TargetProcess good) {
        return new FairnessTargets(good, 12);
    }

    String url(FairnessTarget target) {
        return switch (target) {
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

package io.iocluster.lab.bench;

import io.iocluster.testkit.target.BlackHole;
import io.iocluster.testkit.target.TargetProcess;
import java.util.List;

/**
 * The hosts of the fairness scenario, each with its own address. The bad ones that answer are one process. Confined to one thread, except
 * the URLs.
 */
final class FairnessTargets implements AutoCloseable {

    private static final int SLOW = 0;
    private static final int FAILING = 1;

    /** The first host of the warm-up. */
    private static final int WARM_UP = 2;

    private final TargetProcess good;
    private final TargetProcess bad;
    private final BlackHole dead;
    private final BlackHole warmUpDead;

    /** Starts the bad hosts; {@link #close} does not close the good one. */
    FairnessTargets(TargetProcess good) {
        this.good = good;
        this.bad = TargetProcess.start(List.of("127.0.0.2", "127.0.0.3", "127.0.0.12", "127.0.0.13"), 1, false);
        this.dead = BlackHole.open("127.0.0.4");
        this.warmUpDead = BlackHole.open("127.0.0.14");
    }

    String url(FairnessTarget target) {
        return url(target, dead, 0);
    }

    /** Returns a URL for the warm-up: the bad hosts have other addresses, so that a node has no state for those of {@link #url}. */
    String warmUpUrl(FairnessTarget target) {
        return url(target, warmUpDead, WARM_UP);
    }

    private String url(FairnessTarget target, BlackHole silent, int firstHost) {
        return switch (target) {
            case GOOD -> good.url("/delay?ms=100");
            case DEAD -> silent.url("/ok");
            case SLOW -> bad.url(firstHost + SLOW, "/delay?ms=5000");
            case FAILING -> bad.url(firstHost + FAILING, "/status?code=503");
        };
    }

    @Override
    public void close() {
        warmUpDead.close();
        dead.close();
        bad.close();
    }
}

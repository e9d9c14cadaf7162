package io.iocluster.kafka;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Waits that double, from a first one to a longest one, each drawn from its upper half. Confined to its owner's thread. */
final class Backoff {

    private final long first;
    private final long most;
    private int level;

    Backoff(Duration first, Duration most) {
        this.first = first.toNanos();
        this.most = most.toNanos();
    }

    long nextNanos() {
        long range = Math.min(most, first << level);
        if (range < most) {
            level++;
        }
        return range / 2 + ThreadLocalRandom.current().nextLong(range / 2 + 1);
    }

    void reset() {
        level = 0;
    }
}

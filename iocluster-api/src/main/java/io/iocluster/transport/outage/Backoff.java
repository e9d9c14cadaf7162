package io.iocluster.transport.outage;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits that double, from a first one to a longest one, each drawn from its upper half. Confined to its owner's thread. */
public final class Backoff {

    private final long first;
    private final long most;
    private int level;

    public Backoff(Duration first, Duration most) {
        this.first = first.toNanos();
        this.most = most.toNanos();
    }

    /** The next wait. */
    public long nextDelayNanos() {
        long range = Math.min(most, first << level);
        if (range < most) {
            level++;
        }
        return range / 2 + ThreadLocalRandom.current().nextLong(range / 2 + 1);
    }

    /** Lets the calling thread wait so long, unless it is over before; to be unparked when that changes. */
    public void sleepUnless(BooleanSupplier over) {
        long until = System.nanoTime() + nextDelayNanos();
        for (long left = until - System.nanoTime();
                left > 0 && !over.getAsBoolean();
                left = until - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
    }

    /** Begins again with the first wait. */
    public void reset() {
        level = 0;
    }
}

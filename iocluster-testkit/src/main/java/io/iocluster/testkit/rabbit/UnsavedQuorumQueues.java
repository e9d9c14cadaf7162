package io.iocluster.testkit.rabbit;

import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Knows whether quorum queues were declared that a killed broker would not find again: their names are in a file that is
 * saved when it has not been used for half a second (Ra's {@code names.dets}). Confined to the thread of its broker, or of its cluster.
 */
final class UnsavedQuorumQueues {

    private static final long SAVED_AFTER_NANOS = 1_000_000_000;

    private boolean any;
    private long lastNanos;

    void recordDeclared(Map<String, Object> arguments) {
        if ("quorum".equals(arguments.get("x-queue-type"))) {
            any = true;
            lastNanos = System.nanoTime();
        }
    }

    /** To be called before the broker is killed. */
    void awaitPersisted() {
        long left = any ? lastNanos + SAVED_AFTER_NANOS - System.nanoTime() : 0;
        while (left > 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(left);
            left = lastNanos + SAVED_AFTER_NANOS - System.nanoTime();
        }
        any = false;
    }
}

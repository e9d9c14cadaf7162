package io.iocluster.testkit.rabbit;

import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Tracks recently declared quorum queues, which a killed broker would lose: their names are in a file that RabbitMQ
 * saves after half a second without access (Ra's {@code names.dets}). Confined to the thread of its broker or cluster.
 */
final class UnsavedQuorumQueues {

    private static final long SAVE_DELAY_NANOS = 1_000_000_000;

    private boolean declared;
    private long lastDeclaredNanos;

    void recordDeclared(Map<String, Object> arguments) {
        if ("quorum".equals(arguments.get("x-queue-type"))) {
            declared = true;
            lastDeclaredNanos = System.nanoTime();
        }
    }

    /** Waits until the names are saved. Call it before the broker is killed. */
    void awaitPersisted() {
        long left = declared ? lastDeclaredNanos + SAVE_DELAY_NANOS - System.nanoTime() : 0;
        while (left > 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(left);
            left = lastDeclaredNanos + SAVE_DELAY_NANOS - System.nanoTime();
        }
        declared = false;
    }
}

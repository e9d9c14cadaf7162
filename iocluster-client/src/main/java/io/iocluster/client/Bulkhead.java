package io.iocluster.client;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Limits the number of outstanding calls and unconfirmed envelopes. Thread-safe. */
final class Bulkhead {

    private final Semaphore permits;
    private final int limit;
    private final ClientFullPolicy whenFull;

    Bulkhead(int limit, ClientFullPolicy whenFull) {
        this.limit = limit;
        this.permits = new Semaphore(limit);
        this.whenFull = whenFull;
    }

    /**
     * Acquires a permit; waits for one with {@link ClientFullPolicy#BLOCK}.
     *
     * @throws ClientFullException if there is none and the policy is {@link ClientFullPolicy#FAIL}, or the thread is
     *     interrupted
     * @throws CallTimeoutException if there was none within the timeout
     */
    void acquire(String id, Duration timeout) {
        if (permits.tryAcquire()) {
            return;
        }
        if (whenFull == ClientFullPolicy.FAIL) {
            throw new ClientFullException(id, limit);
        }
        try {
            if (!permits.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new CallTimeoutException(id, timeout, CallTimeoutException.CallStage.NOT_SENT, null);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ClientFullException(id, limit);
        }
    }

    void release() {
        permits.release();
    }

    int inUse() {
        return limit - permits.availablePermits();
    }
}

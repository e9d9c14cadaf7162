package io.iocluster.client;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Places for what is outstanding. Safe for use by several threads. */
final class Bulkhead {

    private final Semaphore places;
    private final int limit;
    private final ClientFullPolicy whenFull;

    Bulkhead(int limit, ClientFullPolicy whenFull) {
        this.limit = limit;
        this.places = new Semaphore(limit);
        this.whenFull = whenFull;
    }

    /**
     * Takes a place; blocks if the client is configured so.
     *
     * @throws ClientFullException if there is none
     * @throws CallTimeoutException if there was none in time
     */
    void acquire(String id, Duration within) {
        if (places.tryAcquire()) {
            return;
        }
        if (whenFull == ClientFullPolicy.FAIL) {
            throw new ClientFullException(id, limit);
        }
        try {
            if (!places.tryAcquire(within.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new CallTimeoutException(id, within, CallTimeoutException.CallStage.NOT_SENT);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ClientFullException(id, limit);
        }
    }

    void release() {
        places.release();
    }

    int inUse() {
        return limit - places.availablePermits();
    }
}

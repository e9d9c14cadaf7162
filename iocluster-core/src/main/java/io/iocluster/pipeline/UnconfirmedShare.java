package io.iocluster.pipeline;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * Limits how many unconfirmed answers the broker's client holds for one reply-to: as many as {@code workers.max-unconfirmed} still leaves
 * free. One topic or queue alone gets half, and each further one half of the rest, so that topics and queues that confirm nothing never
 * take everything. Thread-safe.
 */
final class UnconfirmedShare {

    private final IntSupplier maxUnconfirmed;
    private final AtomicInteger published = new AtomicInteger();

    UnconfirmedShare(IntSupplier maxUnconfirmed) {
        this.maxUnconfirmed = maxUnconfirmed;
    }

    /** Returns the maximum number of unconfirmed answers of one topic or queue now. It may have one in any case. */
    int maxPerQueue() {
        return maxUnconfirmed.getAsInt() - published.get();
    }

    void published() {
        published.incrementAndGet();
    }

    void released() {
        published.decrementAndGet();
    }
}

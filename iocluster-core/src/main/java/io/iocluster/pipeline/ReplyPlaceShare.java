package io.iocluster.pipeline;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * Limits how many unconfirmed answers the broker's client holds for one reply place: as many as {@code workers.max-unconfirmed}
 * still leaves free. One place alone gets half, and each further one half of the rest, so that no number of places that confirm
 * nothing takes everything. Thread-safe.
 */
final class ReplyPlaceShare {

    private final IntSupplier maxUnconfirmed;
    private final AtomicInteger published = new AtomicInteger();

    ReplyPlaceShare(IntSupplier maxUnconfirmed) {
        this.maxUnconfirmed = maxUnconfirmed;
    }

    /** Returns how many unconfirmed answers one place may have now; it may have one in any case. */
    int most() {
        return maxUnconfirmed.getAsInt() - published.get();
    }

    void published() {
        published.incrementAndGet();
    }

    void left() {
        published.decrementAndGet();
    }
}

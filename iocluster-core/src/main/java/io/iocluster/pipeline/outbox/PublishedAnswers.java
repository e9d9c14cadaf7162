package io.iocluster.pipeline.outbox;

import java.util.concurrent.atomic.AtomicLong;

/** Counts the answers of one size class to one topic or queue that the broker's client holds, and their bytes. Thread-safe. */
final class PublishedAnswers {

    private static final int BYTES_BITS = 43;
    private static final long ONE_ANSWER = 1L << BYTES_BITS;
    private static final long BYTES_MASK = ONE_ANSWER - 1;

    /** The count in the upper bits, the bytes in the lower {@value #BYTES_BITS} bits, so that one update changes both. */
    private final AtomicLong held = new AtomicLong();

    /** Counts an answer if there is none, or if all together have at most this many bytes. Otherwise returns false. */
    boolean tryAdd(long bytes, long maxBytes) {
        long before = held.getAndAdd(ONE_ANSWER + bytes);
        if (before != 0 && (before & BYTES_MASK) + bytes > maxBytes) {
            remove(bytes);
            return false;
        }
        return true;
    }

    /** Counts an answer even if there is no room. */
    void add(long bytes) {
        held.addAndGet(ONE_ANSWER + bytes);
    }

    void remove(long bytes) {
        held.addAndGet(-ONE_ANSWER - bytes);
    }

    int count() {
        return (int) (held.get() >>> BYTES_BITS);
    }

    long bytes() {
        return held.get() & BYTES_MASK;
    }
}

package io.iocluster.pipeline.outbox;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the answers that the broker's client holds for one topic or queue, and their bytes. Each size class has its own instance.
 * Thread-safe.
 */
final class UnconfirmedAnswers {

    private static final int BYTES_BITS = 43;
    private static final long ONE_ANSWER = 1L << BYTES_BITS;
    private static final long BYTES_MASK = ONE_ANSWER - 1;

    /** The count in the upper bits, the bytes in the lower {@value #BYTES_BITS} bits, so that one update changes both. */
    private final AtomicLong held = new AtomicLong();

    /** Counts an answer, unless others are held and all together would have more than {@code maxBytes}. Returns whether it is counted. */
    boolean tryAdd(long bytes, long maxBytes) {
        long before = held.getAndAdd(ONE_ANSWER + bytes);
        if (before != 0 && (before & BYTES_MASK) + bytes > maxBytes) {
            remove(bytes);
            return false;
        }
        return true;
    }

    /** Counts an answer even if that exceeds the limit. */
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

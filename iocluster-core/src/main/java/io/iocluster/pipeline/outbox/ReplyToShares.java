package io.iocluster.pipeline.outbox;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * Limits how many unconfirmed answers the broker's client holds for one reply-to: at most as many as {@code workers.max-unconfirmed} still
 * leaves free. The first topic or queue gets half of the limit, the second half of the rest, and so on. So topics and queues that confirm
 * nothing never take everything.
 *
 * <p>A reply-to is verified from its first confirmed answer until the broker says that it does not exist. All unverified reply-tos
 * together have one share, because senders may invent thousands of them. Thread-safe.
 */
final class ReplyToShares {

    /** Bounds the memory for names. A reply-to beyond it is unverified until its next confirmed answer. */
    private static final int MAX_VERIFIED = 10_000;

    /** Unverified reply-tos may have this part of {@code workers.max-unconfirmed}, so that the others hardly notice them. */
    private static final int PART_OF_UNCONFIRMED = 4;

    /** They may have at most this part of {@code workers.max-in-flight}, because a broker may prefetch only that many messages. */
    private static final int PART_OF_IN_FLIGHT = 2;

    /** The part of {@code answers.max-waiting-bytes} that they may have. */
    private static final int PART_OF_BYTES = 4;

    /** The minimum on small nodes, because a new reply-to needs a few answers to be verified. */
    private static final int MIN_UNVERIFIED = 16;

    private final IntSupplier maxUnconfirmed;
    private final IntSupplier maxInFlight;
    private final AtomicInteger published = new AtomicInteger();
    private final AtomicInteger unverifiedPublished = new AtomicInteger();

    /** By name, least recently used first. */
    @GuardedBy("this")
    private final Map<String, Boolean> verified = new LinkedHashMap<>(16, 0.75f, true);

    /** Creates the shares of these limits, which may change. */
    ReplyToShares(IntSupplier maxUnconfirmed, IntSupplier maxInFlight) {
        this.maxUnconfirmed = maxUnconfirmed;
        this.maxInFlight = maxInFlight;
    }

    /**
     * Counts one more published answer to a reply-to. It may have one in any case if it is verified.
     *
     * @param publishedToIt the answers to it that the broker's client holds
     * @return false, and counts nothing, if its share is used
     */
    boolean tryPublish(int publishedToIt, boolean isVerified) {
        if (publishedToIt > 0 && publishedToIt >= maxUnconfirmed.getAsInt() - published.get()) {
            return false;
        }
        if (!isVerified && unverifiedPublished.getAndIncrement() >= maxUnverified() / 2) {
            unverifiedPublished.decrementAndGet();
            return false;
        }
        published.incrementAndGet();
        return true;
    }

    /**
     * Records that the broker's client no longer holds an answer.
     *
     * @param wasVerified the value with which it was counted
     */
    void release(boolean wasVerified) {
        published.decrementAndGet();
        if (!wasVerified) {
            unverifiedPublished.decrementAndGet();
        }
    }

    /** Returns how many answers all unverified reply-tos may have together. The broker's client holds at most half of them. */
    int maxUnverified() {
        return Math.max(
                MIN_UNVERIFIED,
                Math.min(maxUnconfirmed.getAsInt() / PART_OF_UNCONFIRMED, maxInFlight.getAsInt() / PART_OF_IN_FLIGHT));
    }

    /** Returns how many bytes the answers to all unverified reply-tos may have together. */
    static long maxUnverifiedBytes(long maxWaitingBytes) {
        return maxWaitingBytes / PART_OF_BYTES;
    }

    synchronized boolean isVerified(String replyTo) {
        return verified.get(replyTo) != null;
    }

    /** Records a confirmed answer. */
    synchronized void verify(String replyTo) {
        verified.put(replyTo, true);
        if (verified.size() > MAX_VERIFIED) {
            verified.remove(verified.keySet().iterator().next());
        }
    }

    /** Records that the broker says that the reply-to does not exist. */
    synchronized void forget(String replyTo) {
        verified.remove(replyTo);
    }
}

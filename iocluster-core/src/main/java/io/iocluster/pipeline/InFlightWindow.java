package io.iocluster.pipeline;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much the node holds at once: calls that are open, calls that have ended and whose answers the broker has not yet
 * confirmed, and the bytes of both. Permits are acquired on the source's thread alone and come back on any. A call makes
 * room for the next when it ends, not when its answer is confirmed, so that a slow broker costs no calls.
 */
final class InFlightWindow {

    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger held = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final Runnable roomFreed;
    private final int maxUnconfirmed;
    private volatile int maxCalls;
    private volatile long maxBytes;
    private volatile CompletableFuture<Void> idle;

    /**
     * A window.
     *
     * @param roomFreed run after each call that ends and each permit that comes back, on the thread that says so
     */
    InFlightWindow(int maxCalls, int maxUnconfirmed, long maxBytes, Runnable roomFreed) {
        this.maxCalls = maxCalls;
        this.maxUnconfirmed = maxUnconfirmed;
        this.maxBytes = maxBytes;
        this.roomFreed = roomFreed;
    }

    /**
     * Takes one call's place and its first bytes. A message larger than the whole window is let in when it is alone, for
     * otherwise it would wait for ever.
     *
     * @return null if there is no room now
     */
    Permit tryAcquire(long firstBytes) {
        if (calls.get() >= maxCalls || unconfirmed() >= maxUnconfirmed) {
            return null;
        }
        long used = bytes.get();
        if (used != 0 && used + firstBytes > maxBytes) {
            return null;
        }
        calls.incrementAndGet();
        held.incrementAndGet();
        bytes.addAndGet(firstBytes);
        return new Permit(this, firstBytes);
    }

    boolean tryTakeBytes(long more) {
        if (bytes.addAndGet(more) > maxBytes) {
            bytes.addAndGet(-more);
            return false;
        }
        return true;
    }

    void callEnded() {
        calls.decrementAndGet();
        roomFreed.run();
    }

    void giveBack(long taken) {
        bytes.addAndGet(-taken);
        int left = held.decrementAndGet();
        CompletableFuture<Void> waiting = idle;
        if (left == 0 && waiting != null) {
            waiting.complete(null);
        }
        roomFreed.run();
    }

    /** Completes when nothing is held; to be asked for once, after the last permit was acquired. */
    CompletableFuture<Void> whenIdle() {
        CompletableFuture<Void> waiting = new CompletableFuture<>();
        idle = waiting;
        if (held.get() == 0) {
            waiting.complete(null);
        }
        return waiting;
    }

    /** A lower limit takes nothing away from the calls that are open; they end and are not replaced. */
    void resize(int newMaxCalls, long newMaxBytes) {
        maxCalls = newMaxCalls;
        maxBytes = newMaxBytes;
        roomFreed.run();
    }

    /** Open now. */
    int calls() {
        return calls.get();
    }

    /** Open or unconfirmed. */
    int held() {
        return held.get();
    }

    /** Ended, and waiting for the broker. */
    int unconfirmed() {
        return Math.max(0, held.get() - calls.get());
    }

    int maxCalls() {
        return maxCalls;
    }

    long bytes() {
        return bytes.get();
    }

    long maxBytes() {
        return maxBytes;
    }
}

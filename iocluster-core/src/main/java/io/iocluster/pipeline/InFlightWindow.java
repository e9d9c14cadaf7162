package io.iocluster.pipeline;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much the node has open at once, in calls and in bytes. Permits are acquired on the source's thread alone and come
 * back on any.
 */
final class InFlightWindow {

    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final Runnable roomFreed;
    private volatile int maxCalls;
    private volatile long maxBytes;
    private volatile CompletableFuture<Void> idle;

    /**
     * A window.
     *
     * @param roomFreed run after each permit that comes back, on the thread that gives it back
     */
    InFlightWindow(int maxCalls, long maxBytes, Runnable roomFreed) {
        this.maxCalls = maxCalls;
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
        if (calls.get() >= maxCalls) {
            return null;
        }
        long used = bytes.get();
        if (used != 0 && used + firstBytes > maxBytes) {
            return null;
        }
        calls.incrementAndGet();
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

    void giveBack(long taken) {
        bytes.addAndGet(-taken);
        int left = calls.decrementAndGet();
        CompletableFuture<Void> waiting = idle;
        if (left == 0 && waiting != null) {
            waiting.complete(null);
        }
        roomFreed.run();
    }

    /** Completes when nothing is open; to be asked for once, after the last permit was acquired. */
    CompletableFuture<Void> whenIdle() {
        CompletableFuture<Void> waiting = new CompletableFuture<>();
        idle = waiting;
        if (calls.get() == 0) {
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

    int calls() {
        return calls.get();
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

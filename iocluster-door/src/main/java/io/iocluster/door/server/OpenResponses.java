package io.iocluster.door.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.thread.Platform;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Counts the responses that have not been sent completely, so that a door that stops can wait for them. Thread-safe. */
final class OpenResponses {

    private final Platform platform;

    @GuardedBy("this")
    private int count;

    /** Completes when no response is open; null unless a thread waits for that. */
    @GuardedBy("this")
    private CompletableFuture<Void> none;

    OpenResponses(Platform platform) {
        this.platform = platform;
    }

    /** Counts a response and returns the number of open ones. */
    synchronized int start() {
        return ++count;
    }

    synchronized void end() {
        if (--count == 0 && none != null) {
            none.complete(null);
            none = null;
        }
    }

    /** Waits until all responses are sent, at most for this time. */
    void awaitNone(Duration timeout) throws InterruptedException {
        CompletableFuture<Void> sent;
        synchronized (this) {
            if (count == 0) {
                return;
            }
            if (none == null) {
                none = new CompletableFuture<>();
            }
            sent = none;
        }
        platform.await(sent, timeout);
    }
}

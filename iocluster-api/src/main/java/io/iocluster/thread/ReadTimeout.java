package io.iocluster.thread;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Closes a stream after a time, so that a thread that reads it gets an {@link IOException}. The timeout of the JDK's HTTP client
 * ends with the headers of a response, so its body needs this. Thread-safe.
 */
public final class ReadTimeout implements AutoCloseable {

    private final CompletableFuture<Boolean> expired = new CompletableFuture<>();

    /** Starts the time. */
    public ReadTimeout(InputStream in, Duration timeout) {
        expired.completeOnTimeout(true, timeout.toNanos(), TimeUnit.NANOSECONDS).thenAccept(late -> {
            if (late) {
                closeNow(in);
            }
        });
    }

    private static void closeNow(InputStream in) {
        try {
            in.close();
        } catch (IOException ignored) {
            // The reader sees that the stream is closed.
        }
    }

    /** Returns whether the time has ended before {@link #close}. */
    public boolean isExpired() {
        return expired.getNow(false);
    }

    /** Stops the time. Does not close the stream. */
    @Override
    public void close() {
        expired.complete(false);
    }
}

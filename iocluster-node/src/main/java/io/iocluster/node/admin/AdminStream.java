package io.iocluster.node.admin;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The body of a response that continues until one side ends it. Polled on one event loop, {@link #close closed} on any thread. */
public interface AdminStream extends AutoCloseable {

    /** Returns the time after which the response is cut off even if the client does not read. The stream should end by itself before. */
    Duration maxDuration();

    /**
     * Completes when the server must cut the response off before {@link #maxDuration}, although the client has not read everything. By
     * default it never completes.
     */
    default CompletionStage<Void> cutOff() {
        return new CompletableFuture<>();
    }

    /**
     * Returns what to send next. Called about ten times a second, while the client has read everything before.
     *
     * @return empty for nothing now; null to end the response
     */
    byte[] poll();

    /** Ends the stream. Called when the response has ended, the client is gone or the server closes; a second call has no effect. */
    @Override
    void close();
}

package io.iocluster.node.admin.stream;

import java.time.Duration;

/** The body of a response that continues until one side ends it. Polled on one event loop, {@link #close closed} on any thread. */
public interface AdminStream extends AutoCloseable {

    /** Returns the time after which the response is cut off even if the client does not read. The stream should end by itself before. */
    Duration maxDuration();

    /**
     * Returns what to send next. Called about ten times a second, while the client has read everything before.
     *
     * @return empty for nothing now; null to end the response
     */
    byte[] poll();

    /** Ends the stream. Called once, when the response has ended or the client is gone. */
    @Override
    void close();
}

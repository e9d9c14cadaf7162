package io.iocluster.bench.queue;

import java.nio.charset.StandardCharsets;

/**
 * An answer as it was read.
 *
 * @param dueNanos when its call was due
 */
public record SeenAnswer(long dueNanos, byte[] envelope) {

    /** Whether the call was answered with 200. */
    public boolean isGood() {
        String text = text();
        return text.contains("\"outcome\":\"answered\"") && text.contains("\"status\":200");
    }

    public String text() {
        return new String(envelope, StandardCharsets.UTF_8);
    }
}

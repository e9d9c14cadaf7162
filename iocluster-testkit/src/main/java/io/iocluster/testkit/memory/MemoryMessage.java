package io.iocluster.testkit.memory;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A message in a {@link MemoryBroker}.
 *
 * @param coordinates unique in its broker
 * @param correlationId may be null
 * @param delayedRetry whether it comes from the queue of delayed retries
 */
public record MemoryMessage(
        String coordinates,
        byte[] payload,
        String correlationId,
        Map<String, String> headers,
        long timestampMillis,
        boolean delayedRetry) {

    public MemoryMessage {
        headers = Map.copyOf(headers);
    }

    /** Returns the payload as UTF-8 text. */
    public String text() {
        return new String(payload, StandardCharsets.UTF_8);
    }
}

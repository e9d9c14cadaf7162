package io.iocluster.testkit.memory;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A message in a {@link MemoryBroker}.
 *
 * @param coordinates unique in its broker
 * @param correlation or null
 * @param delayedRetry whether it comes from a place of delayed requests
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

    /** The payload as UTF-8. */
    public String text() {
        return new String(payload, StandardCharsets.UTF_8);
    }
}

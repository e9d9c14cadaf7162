package io.iocluster.lab.bench.broker;

import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * An answer that was read from the queue.
 *
 * @param dueNanos when its call was due, by this process's {@code nanoTime}
 */
public record PolledAnswer(long dueNanos, byte[] envelope) {

    private static final ObjectMapper JSON = new JsonMapper();

    /** Returns whether the call was answered with status 200. */
    public boolean isOk() {
        String text = text();
        return text.contains("\"outcome\":\"answered\"") && text.contains("\"status\":200");
    }

    /** Returns the error code, or the HTTP status if there is none. */
    public String outcomeCode() {
        JsonNode answer = JSON.readTree(envelope);
        return answer.path("error").path("code").asString(answer.path("status").asString());
    }

    public String text() {
        return new String(envelope, StandardCharsets.UTF_8);
    }
}

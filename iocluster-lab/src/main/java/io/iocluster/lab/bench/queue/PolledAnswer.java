package io.iocluster.lab.bench.queue;

import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * An answer as it was read.
 *
 * @param dueNanos when its call was due
 */
public record PolledAnswer(long dueNanos, byte[] envelope) {

    private static final ObjectMapper JSON = new JsonMapper();

    /** Whether the call was answered with 200. */
    public boolean isOk() {
        String text = text();
        return text.contains("\"outcome\":\"answered\"") && text.contains("\"status\":200");
    }

    /** The HTTP status it has, or else the error's code. */
    public String outcomeCode() {
        JsonNode answer = JSON.readTree(envelope);
        return answer.path("error").path("code").asString(answer.path("status").asString());
    }

    public String text() {
        return new String(envelope, StandardCharsets.UTF_8);
    }
}

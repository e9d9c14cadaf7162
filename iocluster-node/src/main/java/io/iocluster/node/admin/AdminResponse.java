package io.iocluster.node.admin;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A response of the admin API.
 *
 * @param stream continues the body; null if the body is complete
 */
public record AdminResponse(
        int status, String contentType, byte[] body, Map<String, String> headers, AdminStream stream) {

    static final JsonMapper JSON = JsonMapper.builder().build();

    private static final byte[] NO_BODY = {};

    public AdminResponse(int status, String contentType, byte[] body, Map<String, String> headers) {
        this(status, contentType, body, headers, null);
    }

    /** Returns status 200 with a body that the stream supplies. */
    public static AdminResponse stream(String contentType, AdminStream stream) {
        return new AdminResponse(200, contentType, NO_BODY, Map.of(), stream);
    }

    /** Returns a response with a JSON body. */
    public static AdminResponse json(int status, JsonNode body) {
        byte[] text = (JSON.writerWithDefaultPrettyPrinter().writeValueAsString(body) + "\n")
                .getBytes(StandardCharsets.UTF_8);
        return new AdminResponse(status, "application/json", text, Map.of());
    }

    /** Returns status 200 with a JSON body. */
    public static AdminResponse ok(JsonNode body) {
        return json(200, body);
    }

    /** Returns an error with the body {@code {"error": "…"}}. */
    public static AdminResponse error(int status, String message) {
        return json(status, JSON.createObjectNode().put("error", message));
    }

    /** Returns an empty JSON object. */
    public static ObjectNode object() {
        return JSON.createObjectNode();
    }

    AdminResponse withHeader(String header, String value) {
        return new AdminResponse(status, contentType, body, Map.of(header, value));
    }
}

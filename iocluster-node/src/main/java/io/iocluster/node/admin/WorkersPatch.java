package io.iocluster.node.admin;

import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The body of {@code PATCH /api/workers}; a null value is not changed. */
record WorkersPatch(Integer threads, Integer maxInFlight) {

    private static final ObjectMapper STRICT = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private static final Set<String> KEYS = Set.of("threads", "max-in-flight");

    /**
     * Parses the body of the request.
     *
     * @throws AdminException if the body or its content type is invalid
     */
    static WorkersPatch read(AdminRequest request) {
        String type = request.header("Content-Type");
        if (type == null || !type.split(";", 2)[0].trim().equalsIgnoreCase("application/json")) {
            throw new AdminException(415, "the body needs Content-Type: application/json");
        }
        if (!(parse(request.body()) instanceof ObjectNode patch) || patch.isEmpty()) {
            throw new AdminException(
                    400, "the body must be an object such as {\"threads\": 4, \"max-in-flight\": 600}");
        }
        for (String key : patch.propertyNames()) {
            if (!KEYS.contains(key)) {
                throw new AdminException(400, key + " is not a known key; use threads or max-in-flight");
            }
        }
        return new WorkersPatch(number(patch, "threads"), number(patch, "max-in-flight"));
    }

    private static JsonNode parse(byte[] body) {
        try {
            return STRICT.readTree(body);
        } catch (JacksonException invalid) {
            throw new AdminException(400, "the body is not valid JSON, or repeats a key");
        }
    }

    private static Integer number(ObjectNode patch, String key) {
        JsonNode value = patch.get(key);
        if (value == null) {
            return null;
        }
        if (!value.isIntegralNumber()) {
            throw new AdminException(400, "workers." + key + " must be a whole number: " + value);
        }
        if (!value.canConvertToInt()) {
            throw new AdminException(400, "workers." + key + " is out of range: " + value);
        }
        return value.asInt();
    }
}

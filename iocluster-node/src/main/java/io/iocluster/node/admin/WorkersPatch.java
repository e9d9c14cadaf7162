package io.iocluster.node.admin;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The body of {@code PATCH /api/workers}; a null value is not changed. */
record WorkersPatch(Integer threads, Integer maxInFlight) {

    /**
     * Parses the body of the request.
     *
     * @throws AdminException if the body or its content type is invalid
     */
    static WorkersPatch read(AdminRequest request) {
        ObjectNode patch =
                request.json(List.of("threads", "max-in-flight"), "{\"threads\": 4, \"max-in-flight\": 600}");
        return new WorkersPatch(number(patch, "threads"), number(patch, "max-in-flight"));
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

package io.iocluster.node.admin;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.common.RequestHeaders;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A request to the admin server with its whole body.
 *
 * @param path the decoded path, without the query
 */
public record AdminRequest(String method, String path, RequestHeaders headers, byte[] body) {

    private static final ObjectMapper STRICT = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** Returns the first value of the header, or null. */
    public String header(String name) {
        return headers.get(HttpHeaderNames.of(name));
    }

    /** Returns the parameters of the query. */
    public QueryParams query() {
        int start = headers.path().indexOf('?');
        return start < 0
                ? QueryParams.of()
                : QueryParams.fromQueryString(headers.path().substring(start + 1));
    }

    /**
     * Returns which entries of a long list the query asks for.
     *
     * @throws AdminException if a parameter is invalid
     */
    public ListQuery list() {
        try {
            return ListQuery.of(query());
        } catch (IllegalArgumentException invalid) {
            throw new AdminException(400, invalid.getMessage());
        }
    }

    /**
     * Returns the body, a JSON object that is not empty.
     *
     * @param keys all known keys
     * @param example a valid body, for the error message
     * @throws AdminException if the body or its content type is invalid, or if it has an unknown key
     */
    public ObjectNode json(List<String> keys, String example) {
        String type = header("Content-Type");
        if (type == null || !type.split(";", 2)[0].trim().equalsIgnoreCase("application/json")) {
            throw new AdminException(415, "the body needs Content-Type: application/json");
        }
        if (!(parse() instanceof ObjectNode object) || object.isEmpty()) {
            throw new AdminException(400, "the body must be an object such as " + example);
        }
        for (String key : object.propertyNames()) {
            if (!keys.contains(key)) {
                throw new AdminException(400, key + " is not a known key; use " + String.join(" or ", keys));
            }
        }
        return object;
    }

    private JsonNode parse() {
        try {
            return STRICT.readTree(body);
        } catch (JacksonException invalid) {
            throw new AdminException(400, "the body is not valid JSON, or repeats a key");
        }
    }

    /** Returns the host and port that the client asked for, or null. */
    String host() {
        return headers.authority();
    }

    /** Returns whether the request may change something. */
    boolean isMutating() {
        return !method.equals("GET") && !method.equals("HEAD");
    }
}

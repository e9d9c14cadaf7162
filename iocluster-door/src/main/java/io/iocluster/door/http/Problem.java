package io.iocluster.door.http;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * An error of the door, as {@code application/problem+json}. Immutable.
 *
 * @param status the status of HTTP
 * @param code the stable code
 * @param detail human-readable, not stable
 * @param headers further headers of the response
 */
public record Problem(int status, String code, String detail, Map<String, String> headers) {

    /** The header that repeats the code. */
    public static final String CODE_HEADER = "iocluster-code";

    public static final String CONTENT_TYPE = "application/problem+json";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    public Problem {
        headers = Map.copyOf(headers);
    }

    /** Returns a problem without further headers. */
    public static Problem of(int status, String code, String detail) {
        return new Problem(status, code, detail, Map.of());
    }

    /** Returns a problem with {@code Retry-After: 1}, because the same request may succeed later. */
    public static Problem retryable(int status, String code, String detail) {
        return new Problem(status, code, detail, Map.of("retry-after", "1"));
    }

    /** Returns a copy with another header. */
    public Problem withHeader(String name, String value) {
        Map<String, String> all = new TreeMap<>(headers);
        all.put(name, value);
        return new Problem(status, code, detail, all);
    }

    /** Returns the body as a JSON object. */
    public ObjectNode json() {
        return JSON.createObjectNode()
                .put("title", HttpStatus.valueOf(status).reasonPhrase())
                .put("status", status)
                .put("code", code)
                .put("detail", detail);
    }

    /** Returns the encoded body. */
    public byte[] body() {
        return JSON.writeValueAsBytes(json());
    }

    /** Returns a JSON object on one line, with the line end. */
    public static byte[] line(ObjectNode object) {
        return (JSON.writeValueAsString(object) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the headers of the response, with the code. */
    public ResponseHeaders responseHeaders() {
        ResponseHeadersBuilder built = ResponseHeaders.builder(status)
                .add(HttpHeaderNames.CONTENT_TYPE, CONTENT_TYPE)
                .add(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .add(CODE_HEADER, code);
        headers.forEach(built::set);
        return built.build();
    }

    /** Returns the response. */
    public HttpResponse response() {
        return HttpResponse.of(responseHeaders(), HttpData.wrap(body()));
    }
}

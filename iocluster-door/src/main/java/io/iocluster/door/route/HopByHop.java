package io.iocluster.door.route;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.RequestHeaders;
import io.iocluster.message.Header;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Removes the headers that belong to one connection only (RFC 9110, section 7.6.1), and those that the door sets itself. Stateless. */
final class HopByHop {

    private static final Set<String> NOT_FORWARDED = Set.of(
            "connection",
            "keep-alive",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "http2-settings",
            "host",
            "content-length",
            "expect",
            // The trace context travels with the message.
            "traceparent",
            "tracestate");

    private static final Set<String> NOT_RETURNED = Set.of(
            "connection",
            "keep-alive",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "content-length",
            "proxy-authenticate",
            "proxy-authentication-info",
            "proxy-connection");

    private HopByHop() {}

    /** Returns the headers of a request that its target may see. */
    static List<Header> ofRequest(RequestHeaders headers) {
        Set<String> named = named(headers);
        List<Header> kept = new ArrayList<>(headers.size());
        headers.forEach((key, value) -> {
            String name = key.toString();
            if (!name.startsWith(":")
                    && !name.startsWith("proxy-")
                    && !name.startsWith("iocluster-")
                    && !NOT_FORWARDED.contains(name)
                    && !named.contains(name)) {
                kept.add(new Header(name, value));
            }
        });
        return kept;
    }

    /** Returns the headers of an answer that the caller may see. The node has removed those that {@code Connection} names. */
    static List<Map.Entry<String, String>> ofAnswer(List<Header> headers) {
        List<Map.Entry<String, String>> kept = new ArrayList<>(headers.size());
        for (Header header : headers) {
            String name = header.name().toLowerCase(Locale.ROOT);
            if (!NOT_RETURNED.contains(name) && !name.startsWith("iocluster-") && !name.startsWith(":")) {
                kept.add(Map.entry(name, header.value()));
            }
        }
        return kept;
    }

    /** Returns the names that the header {@code Connection} contains. */
    private static Set<String> named(HttpHeaders headers) {
        Set<String> names = new HashSet<>();
        for (String line : headers.getAll(HttpHeaderNames.CONNECTION)) {
            for (String name : line.split(",", -1)) {
                names.add(name.strip().toLowerCase(Locale.ROOT));
            }
        }
        return names;
    }
}

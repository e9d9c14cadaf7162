package io.iocluster.node.events;

import com.linecorp.armeria.common.QueryParams;
import io.iocluster.node.admin.AdminException;
import io.iocluster.node.admin.AdminRequest;
import io.iocluster.node.admin.AdminResponse;
import io.iocluster.node.admin.AdminRoute;
import io.iocluster.node.admin.AdminRoute.Access;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code GET /api/events}: opens an event stream. Thread-safe. */
public final class EventsRoute {

    private static final String CONTENT_TYPE = "text/event-stream";
    private static final byte[] NO_BODY = {};

    /** Makes a proxy such as nginx forward each event at once. */
    private static final Map<String, String> HEADERS = Map.of("X-Accel-Buffering", "no");

    private final EventStreams streams;

    private EventsRoute(EventStreams streams) {
        this.streams = streams;
    }

    /** Returns the route. It needs a token if it asks for a sensitive part. */
    public static AdminRoute of(EventStreams streams) {
        EventsRoute route = new EventsRoute(streams);
        return AdminRoute.get("/api/events", route::access, route::open);
    }

    private Access access(AdminRequest request) {
        Set<String> wanted = wanted(request);
        return streams.parts().stream().anyMatch(part -> part.sensitive() && wanted.contains(part.name()))
                ? Access.READER
                : Access.OPEN;
    }

    private AdminResponse open(AdminRequest request) {
        for (String name : request.query().names()) {
            if (!name.equals("parts")) {
                throw new AdminException(400, "unknown parameter: " + name + "; known: parts");
            }
        }
        Set<String> wanted = wanted(request);
        List<String> known = names();
        for (String part : wanted) {
            if (!known.contains(part)) {
                throw new AdminException(400, "unknown part: " + part + "; known: " + String.join(", ", known));
            }
        }
        return new AdminResponse(200, CONTENT_TYPE, NO_BODY, HEADERS, streams.open(wanted));
    }

    /** Returns the names of the requested parts, or of all parts if the query names none. */
    private Set<String> wanted(AdminRequest request) {
        QueryParams query = request.query();
        return query.contains("parts")
                ? new LinkedHashSet<>(
                        List.of(String.join(",", query.getAll("parts")).split(",", -1)))
                : new LinkedHashSet<>(names());
    }

    private List<String> names() {
        return streams.parts().stream().map(EventPart::name).toList();
    }
}

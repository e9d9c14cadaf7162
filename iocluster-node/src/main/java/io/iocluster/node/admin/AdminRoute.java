package io.iocluster.node.admin;

import java.util.function.Function;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/**
 * One method of one path of the admin API. A {@code GET} route also answers {@code HEAD}. Immutable.
 *
 * @param access the access that it requires; methods other than {@code GET} always require {@link Access#OPERATOR}
 * @param handler returns the response to a request; called on several threads, and on the event loop for probes
 */
public record AdminRoute(String method, String path, Access access, Function<AdminRequest, AdminResponse> handler) {

    /** The access that a route requires; {@link AccessControl} enforces it. */
    public enum Access {
        /** Health checks: allowed without the token and under any host name. */
        PROBE,
        /** Status and metrics: readable without the token. */
        OPEN,
        /** Calls that change the node, or read messages, settings or internals: need the token if one is set. */
        OPERATOR
    }

    /** Returns a route that answers {@code GET}. */
    public static AdminRoute get(String path, Access access, Function<AdminRequest, AdminResponse> handler) {
        return new AdminRoute("GET", path, access, handler);
    }

    /** Returns a route that answers {@code GET} with JSON. */
    public static AdminRoute json(String path, Access access, Supplier<? extends JsonNode> body) {
        return get(path, access, request -> AdminResponse.ok(body.get()));
    }
}

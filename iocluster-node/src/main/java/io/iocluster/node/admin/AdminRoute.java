package io.iocluster.node.admin;

import java.util.function.Function;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/**
 * One method of one path of the admin API. A {@code GET} route also answers {@code HEAD}. Immutable.
 *
 * @param access who may call it; methods other than {@code GET} are always for operators
 * @param handler answers a request; called on several threads, and on the event loop for probes
 */
public record AdminRoute(String method, String path, Access access, Function<AdminRequest, AdminResponse> handler) {

    /** Decides which requests {@link AccessControl} lets through. */
    public enum Access {
        /** Health checks: always answered, without token and under any host name. */
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

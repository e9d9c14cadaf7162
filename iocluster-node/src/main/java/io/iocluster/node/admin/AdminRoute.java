package io.iocluster.node.admin;

import java.util.function.Function;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/**
 * One method of one path of the admin API. A {@code GET} route also answers {@code HEAD}. Immutable.
 *
 * @param access returns the access that a request requires; methods other than {@code GET} always require {@link Access#OPERATOR}
 * @param handler returns the response to a request; called on several threads, and on the event loop for probes
 * @param action what the audit log records; null for {@code GET}
 */
public record AdminRoute(
        String method,
        String path,
        Function<AdminRequest, Access> access,
        Function<AdminRequest, AdminResponse> handler,
        AuditedAction action) {

    /**
     * What the audit log records of a route that changes something. Immutable.
     *
     * @param name the name in the log
     * @param state returns what the request may change; called before and after the handler
     */
    public record AuditedAction(String name, Function<AdminRequest, JsonNode> state) {}

    /** The access that a route requires; {@link AccessControl} enforces it. */
    public enum Access {
        /** Health checks: allowed without the token and under any host name. */
        PROBE,
        /** Status and metrics: readable without a token. */
        OPEN,
        /** Messages, settings and internals: need a token, read-only or not, if one is set. */
        READER,
        /** Changes of the node: need the operator's token if one is set. */
        OPERATOR
    }

    /** Returns a route that answers {@code GET}. */
    public static AdminRoute get(String path, Access access, Function<AdminRequest, AdminResponse> handler) {
        return get(path, request -> access, handler);
    }

    /** Returns a route that answers {@code GET} and requires an access that depends on the request. */
    public static AdminRoute get(
            String path, Function<AdminRequest, Access> access, Function<AdminRequest, AdminResponse> handler) {
        return new AdminRoute("GET", path, access, handler, null);
    }

    /** Returns a route that answers {@code GET} with JSON. */
    public static AdminRoute json(String path, Access access, Supplier<? extends JsonNode> body) {
        return get(path, access, request -> AdminResponse.ok(body.get()));
    }

    /** Returns a route that changes something; the audit log records each request. */
    public static AdminRoute action(
            String method, String path, AuditedAction action, Function<AdminRequest, AdminResponse> handler) {
        return new AdminRoute(method, path, request -> Access.OPERATOR, handler, action);
    }
}

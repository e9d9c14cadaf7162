package io.iocluster.node.admin;

import io.iocluster.door.listener.HeaderChecks;
import io.iocluster.node.admin.AdminRoute.Access;
import io.iocluster.node.config.AdminSettings;
import io.iocluster.settings.LoopbackHost;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * Decides whether a request is allowed. If {@code admin.token} is set, {@linkplain AdminRoute.Access#OPERATOR changes} need it, and
 * {@linkplain AdminRoute.Access#READER sensitive reads} need it or the read-only token. A request without a token to a server on
 * loopback must also name a loopback host, because a web page whose DNS name was rebound to this machine sends that DNS name as its
 * host. Probes are always allowed. Immutable.
 */
final class AccessControl {

    private final AdminSettings settings;
    private final boolean onLoopback;
    private final Function<AdminRequest, Access> access;

    /** The rights that the token of a request gives. */
    enum Role {
        OPERATOR,
        READ_ONLY,
        ANONYMOUS;

        /** Returns the name in the audit log. */
        String wireName() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * Creates the access control of one server.
     *
     * @param settings the tokens
     * @param onLoopback whether the server listens on a loopback address
     * @param access returns the access that a request requires
     */
    AccessControl(AdminSettings settings, boolean onLoopback, Function<AdminRequest, Access> access) {
        this.settings = settings;
        this.onLoopback = onLoopback;
        this.access = access;
    }

    /** Returns the role that the token of the request has. Compares in constant time. */
    Role role(AdminRequest request) {
        if (hasToken(request, settings.token())) {
            return Role.OPERATOR;
        }
        return hasToken(request, settings.readOnlyToken()) ? Role.READ_ONLY : Role.ANONYMOUS;
    }

    /** Returns the error response, or empty if the request is allowed. */
    Optional<AdminResponse> reject(AdminRequest request) {
        Access required = access.apply(request);
        if (required == Access.PROBE) {
            return Optional.empty();
        }
        boolean sensitive = required != Access.OPEN;
        if (sensitive && isCrossOrigin(request)) {
            return Optional.of(AdminResponse.error(403, "cross-origin requests are not allowed"));
        }
        Role role = role(request);
        if (role == Role.OPERATOR || (role == Role.READ_ONLY && required != Access.OPERATOR)) {
            return Optional.empty();
        }
        if (role == Role.READ_ONLY) {
            return Optional.of(AdminResponse.error(
                    403, "the token is admin.read-only-token, which cannot change the node; use admin.token"));
        }
        if (sensitive && !settings.token().isEmpty()) {
            return Optional.of(
                    AdminResponse.error(401, unauthorized(request, required)).withHeader("WWW-Authenticate", "Bearer"));
        }
        return onLoopback && !LoopbackHost.isAskedFor(request.host())
                ? Optional.of(AdminResponse.error(
                        403, "the header Host must name a loopback address, or the request must contain admin.token"))
                : Optional.empty();
    }

    private String unauthorized(AdminRequest request, Access required) {
        boolean readable =
                required == Access.READER && !settings.readOnlyToken().isEmpty();
        String accepted = readable ? "admin.token or admin.read-only-token" : "admin.token";
        return request.header("Authorization") == null
                ? "this path needs the header Authorization: Bearer <" + accepted + ">"
                : "the token in the header Authorization is not " + accepted;
    }

    private static boolean hasToken(AdminRequest request, String token) {
        String given = HeaderChecks.bearerToken(request.header("Authorization"));
        return !token.isEmpty()
                && given != null
                && MessageDigest.isEqual(
                        given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    private static boolean isCrossOrigin(AdminRequest request) {
        String origin = request.header("Origin");
        String site = request.header("Sec-Fetch-Site");
        if (site != null && !site.equals("same-origin") && !site.equals("none")) {
            return true;
        }
        return origin != null && !isSame(origin, request.host());
    }

    private static boolean isSame(String origin, String host) {
        try {
            String authority = URI.create(origin).getRawAuthority();
            return authority != null && authority.equalsIgnoreCase(host);
        } catch (IllegalArgumentException invalid) {
            return false;
        }
    }
}

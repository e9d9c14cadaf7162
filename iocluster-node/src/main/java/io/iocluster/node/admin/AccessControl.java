package io.iocluster.node.admin;

import io.iocluster.node.admin.AdminRoute.Access;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Decides whether a request is allowed. Requests {@linkplain AdminRoute.Access#OPERATOR for operators} need the token, if one is set. A request
 * without the token to a server on loopback must also name a loopback host, because a web page whose DNS name was rebound to
 * this machine sends that DNS name as its host. Probes are always allowed. Immutable.
 */
final class AccessControl {

    private static final Pattern LOOPBACK =
            Pattern.compile("(localhost|127(\\.\\d{1,3}){3}|\\[::1])(:\\d{1,5})?", Pattern.CASE_INSENSITIVE);
    private static final String SCHEME = "Bearer ";

    private final byte[] token;
    private final boolean onLoopback;
    private final Function<AdminRequest, Access> access;

    /**
     * Creates the access control of one server.
     *
     * @param token {@code admin.token}; empty if none is set
     * @param onLoopback whether the server listens on a loopback address
     * @param access returns the access that a request requires
     */
    AccessControl(String token, boolean onLoopback, Function<AdminRequest, Access> access) {
        this.token = token.getBytes(StandardCharsets.UTF_8);
        this.onLoopback = onLoopback;
        this.access = access;
    }

    /** Returns the error response, or empty if the request is allowed. */
    Optional<AdminResponse> reject(AdminRequest request) {
        Access required = access.apply(request);
        if (required == Access.PROBE) {
            return Optional.empty();
        }
        boolean forOperators = required == Access.OPERATOR;
        if (forOperators && isCrossOrigin(request)) {
            return Optional.of(AdminResponse.error(403, "cross-origin requests are not allowed"));
        }
        if (token.length > 0 && hasToken(request)) {
            return Optional.empty();
        }
        if (forOperators && token.length > 0) {
            return Optional.of(
                    AdminResponse.error(401, "this path needs the header Authorization: Bearer <admin.token>")
                            .withHeader("WWW-Authenticate", "Bearer"));
        }
        return onLoopback && !namesLoopback(request)
                ? Optional.of(AdminResponse.error(
                        403, "the header Host must name a loopback address, or the request must contain admin.token"))
                : Optional.empty();
    }

    private static boolean namesLoopback(AdminRequest request) {
        return request.host() != null && LOOPBACK.matcher(request.host()).matches();
    }

    private boolean hasToken(AdminRequest request) {
        String authorization = request.header("Authorization");
        return authorization != null
                && authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                && MessageDigest.isEqual(
                        authorization.substring(SCHEME.length()).trim().getBytes(StandardCharsets.UTF_8), token);
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

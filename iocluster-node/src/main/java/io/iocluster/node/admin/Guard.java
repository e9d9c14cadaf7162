package io.iocluster.node.admin;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Decides whether a call that is {@linkplain AdminApi#isForOperators for operators} is let through. With a token, the token is asked for; without one the server
 * listens on loopback only, and what remains to keep out is a web page in a browser on the same machine: by its {@code
 * Origin}, and by a {@code Host} that a rebound DNS name would bring. Immutable.
 */
final class Guard {

    private static final Pattern LOOPBACK =
            Pattern.compile("(localhost|127(\\.\\d{1,3}){3}|\\[::1])(:\\d{1,5})?", Pattern.CASE_INSENSITIVE);
    private static final String SCHEME = "Bearer ";

    private final byte[] token;

    /** An empty token asks for none. */
    Guard(String token) {
        this.token = token.getBytes(StandardCharsets.UTF_8);
    }

    /** The refusal, or nothing if the call may go on. */
    Optional<Reply> refuse(Request request) {
        if (!AdminApi.isForOperators(request)) {
            return Optional.empty();
        }
        if (isCrossOrigin(request)) {
            return Optional.of(Reply.error(403, "calls from another origin's pages are refused"));
        }
        if (token.length > 0) {
            return hasToken(request)
                    ? Optional.empty()
                    : Optional.of(Reply.error(401, "this call needs the header Authorization: Bearer <admin.token>")
                            .with("WWW-Authenticate", "Bearer"));
        }
        String host = request.header("Host");
        return host != null && LOOPBACK.matcher(host).matches()
                ? Optional.empty()
                : Optional.of(Reply.error(403, "without admin.token, the Host has to be a loopback address"));
    }

    private boolean hasToken(Request request) {
        String given = request.header("Authorization");
        return given != null
                && given.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                && MessageDigest.isEqual(
                        given.substring(SCHEME.length()).trim().getBytes(StandardCharsets.UTF_8), token);
    }

    private static boolean isCrossOrigin(Request request) {
        String origin = request.header("Origin");
        String site = request.header("Sec-Fetch-Site");
        if (site != null && !site.equals("same-origin") && !site.equals("none")) {
            return true;
        }
        return origin != null && !isSame(origin, request.header("Host"));
    }

    private static boolean isSame(String origin, String host) {
        try {
            String authority = URI.create(origin).getRawAuthority();
            return authority != null && authority.equalsIgnoreCase(host);
        } catch (IllegalArgumentException broken) {
            return false;
        }
    }
}

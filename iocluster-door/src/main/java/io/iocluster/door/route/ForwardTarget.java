package io.iocluster.door.route;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The target of a forwarded request. Rewrites headers of its responses, because a client sees the host of the door for every target. The
 * client would send the cookies and credentials of one target to another, and resolve a relative redirect against the door. Cookies therefore
 * get the path of their target, and {@code Location} leads through the door. Immutable.
 *
 * @param url the URL as the caller wrote it
 * @param anonymous whether the caller follows a redirect from another target, so that its credentials are not for this one
 */
record ForwardTarget(String url, boolean anonymous) {

    /** Stands between the prefix of the route and the URL if a redirect leads to another target. */
    static final String ANONYMOUS = "without-credentials/";

    /** Scheme and authority, path, query, fragment (RFC 3986, appendix B). */
    private static final Pattern URL = Pattern.compile("(https?://[^/?#]*)([^?#]*)(\\?[^#]*)?(#.*)?", Pattern.DOTALL);

    private static final Pattern HTTP_SCHEME = Pattern.compile("(https?):/*", Pattern.CASE_INSENSITIVE);

    private static final Pattern OTHER_SCHEME = Pattern.compile("(?s)[A-Za-z][A-Za-z0-9+.-]*:.*");

    /** Returns the target of a path, from which the prefix of the route was removed; null if it is not a URL. */
    static ForwardTarget parse(String path) {
        boolean anonymous = path.startsWith(ANONYMOUS);
        String url = anonymous ? path.substring(ANONYMOUS.length()) : path;
        return URL.matcher(url).matches() ? new ForwardTarget(url, anonymous) : null;
    }

    /** Returns the value of a header of the response for the client. */
    String rewrite(String name, String value, boolean sentCredentials, boolean tls) {
        return switch (name) {
            case "location" -> location(value, sentCredentials);
            case "set-cookie" -> cookie(value, tls);
            default -> value;
        };
    }

    /**
     * Returns the path of the door that leads to the same place, or the value itself if it is not an HTTP URL.
     *
     * @param sentCredentials whether the client has sent credentials, which it would repeat for another target
     */
    private String location(String value, boolean sentCredentials) {
        String reference = asBrowsersRead(value);
        Matcher absolute = HTTP_SCHEME.matcher(reference);
        boolean isAbsolute = absolute.lookingAt();
        if (!isAbsolute && OTHER_SCHEME.matcher(reference).matches()) {
            return value;
        }
        // Without both slashes, some clients would resolve the rest against the URL of the door.
        Matcher next = URL.matcher(
                isAbsolute
                        ? absolute.group(1).toLowerCase(Locale.ROOT) + "://" + reference.substring(absolute.end())
                        : resolve(reference));
        if (!next.matches()) {
            return value;
        }
        boolean withoutCredentials = anonymous
                || (sentCredentials && !sameOrigin(next.group(1), matched().group(1)));
        return ForwardRoute.PREFIX
                + (withoutCredentials ? ANONYMOUS : "")
                + next.group(1)
                + withoutDotSegments(next.group(2))
                + text(next.group(3))
                + text(next.group(4));
    }

    /** Browsers, and others that follow WHATWG, ignore tabs, and take a backslash before the query for a slash. */
    private static String asBrowsersRead(String value) {
        String reference = value.replace("\t", "");
        int end = 0;
        while (end < reference.length() && reference.charAt(end) != '?' && reference.charAt(end) != '#') {
            end++;
        }
        return reference.substring(0, end).replace('\\', '/') + reference.substring(end);
    }

    /** Returns the absolute form of a relative reference (RFC 3986, section 5.2.2), with dot segments. */
    private String resolve(String reference) {
        Matcher base = matched();
        if (reference.startsWith("//")) {
            return url.substring(0, url.indexOf(':') + 1) + reference;
        }
        if (reference.startsWith("/")) {
            return base.group(1) + reference;
        }
        String path = base.group(2);
        if (reference.isEmpty() || reference.startsWith("#")) {
            return base.group(1) + path + text(base.group(3)) + reference;
        }
        if (reference.startsWith("?")) {
            return base.group(1) + path + reference;
        }
        String folder = path.isEmpty() ? "/" : path.substring(0, path.lastIndexOf('/') + 1);
        return base.group(1) + folder + reference;
    }

    /**
     * Removes dot segments (RFC 3986, section 5.2.4), also encoded ones. A client would also remove the host of the URL for each {@code ..} too
     * many.
     */
    private static String withoutDotSegments(String path) {
        if (!path.contains("/.") && !path.contains("/%2")) {
            return path;
        }
        Deque<String> result = new ArrayDeque<>();
        String[] segments = path.substring(1).split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            String decoded = segments[i].replace("%2e", ".").replace("%2E", ".");
            boolean dots = decoded.equals(".") || decoded.equals("..");
            if (decoded.equals("..")) {
                result.pollLast();
            }
            if (!dots) {
                result.addLast(segments[i]);
            } else if (i == segments.length - 1) {
                result.addLast("");
            }
        }
        return "/" + String.join("/", result);
    }

    private static boolean sameOrigin(String one, String other) {
        return withoutDefaultPort(one).equals(withoutDefaultPort(other));
    }

    private static String withoutDefaultPort(String origin) {
        String lower = origin.toLowerCase(Locale.ROOT);
        String port = lower.startsWith("https:") ? ":443" : ":80";
        return lower.endsWith(port) ? lower.substring(0, lower.length() - port.length()) : lower;
    }

    /**
     * Returns the cookie without its domain, with a path that starts with the origin of its target. If the client uses the door without TLS,
     * also removes {@code Secure}: the path contains the scheme, so no target without TLS gets the cookie.
     */
    private String cookie(String value, boolean tls) {
        StringBuilder rewritten = new StringBuilder();
        String path = null;
        String[] parts = value.split(";", -1);
        rewritten.append(parts[0]);
        for (int i = 1; i < parts.length; i++) {
            String attribute = parts[i].strip();
            int equals = attribute.indexOf('=');
            // Clients ignore spaces around the name.
            String key = (equals < 0 ? attribute : attribute.substring(0, equals))
                    .strip()
                    .toLowerCase(Locale.ROOT);
            if (key.equals("path")) {
                path = equals < 0 ? null : attribute.substring(equals + 1).strip();
            } else if (!key.equals("domain") && (tls || !key.equals("secure"))) {
                rewritten.append("; ").append(attribute);
            }
        }
        String scope = path != null && path.startsWith("/") ? path : defaultCookiePath();
        return rewritten
                .append("; Path=")
                .append(ForwardRoute.PREFIX)
                .append(anonymous ? ANONYMOUS : "")
                .append(matched().group(1))
                .append(scope)
                .toString();
    }

    /** Returns the path of a cookie without one (RFC 6265, section 5.1.4). */
    private String defaultCookiePath() {
        String path = matched().group(2);
        int last = path.lastIndexOf('/');
        return last <= 0 ? "/" : path.substring(0, last);
    }

    private Matcher matched() {
        Matcher matcher = URL.matcher(url);
        if (!matcher.matches()) {
            throw new IllegalStateException("not a URL: " + url);
        }
        return matcher;
    }

    private static String text(String group) {
        return group == null ? "" : group;
    }
}

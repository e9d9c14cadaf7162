package io.iocluster.egress;

import io.iocluster.message.ErrorCode;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/**
 * Parses URLs strictly: accepts less than RFC 3986, repairs nothing, and rejects every text that two programs could
 * interpret differently. A fragment is checked and dropped, because it is never sent.
 */
final class UrlParser {

    private static final String UNRESERVED_AND_SUB_DELIMITERS =
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=";
    private static final boolean[] IN_PATH = allowed(UNRESERVED_AND_SUB_DELIMITERS + ":@/");
    private static final boolean[] IN_QUERY = allowed(UNRESERVED_AND_SUB_DELIMITERS + ":@/?[]");

    private UrlParser() {}

    /** Returns the index after scheme and authority, or -1 if the text does not start with both. */
    static int originEnd(String url) {
        int colon = url.indexOf(':');
        if (colon <= 0 || !url.startsWith("//", colon + 1)) {
            return -1;
        }
        for (int i = colon + 3; i < url.length(); i++) {
            char c = url.charAt(i);
            if (c == '/' || c == '?' || c == '#') {
                return i;
            }
        }
        return url.length();
    }

    /** Returns the rejection of a text for which {@link #originEnd} returned -1. */
    static Rejection rejectRelative(String url) {
        int colon = url.indexOf(':');
        if (colon > 0 && isScheme(url, colon) && !isHttp(url.substring(0, colon).toLowerCase(Locale.ROOT))) {
            return schemeNotAllowed();
        }
        return invalid("the URL is not absolute");
    }

    /** Parses {@code scheme://authority}. Returns the URL of the root path if it is valid. */
    static UrlCheckResult parseOrigin(String text) {
        int colon = text.indexOf(':');
        if (!isScheme(text, colon)) {
            return invalid("the URL's scheme is not valid");
        }
        String scheme = text.substring(0, colon).toLowerCase(Locale.ROOT);
        if (!isHttp(scheme)) {
            return schemeNotAllowed();
        }
        String authority = text.substring(colon + 3);
        if (authority.isEmpty()) {
            return invalid("the URL has no host");
        }
        if (authority.indexOf('@') >= 0) {
            return invalid("the URL has user information");
        }
        boolean ipv6 = authority.charAt(0) == '[';
        int hostEnd = ipv6 ? authority.indexOf(']') : authority.indexOf(':');
        if (ipv6 && hostEnd < 0) {
            return invalid("the URL's host is not a valid IPv6 address");
        }
        String rawHost =
                ipv6 ? authority.substring(1, hostEnd) : hostEnd < 0 ? authority : authority.substring(0, hostEnd);
        String host = ipv6 ? HostName.canonicalizeIpv6(rawHost) : HostName.canonicalize(rawHost);
        if (host == null) {
            return invalid("the URL's host is neither a valid name nor an address in canonical form");
        }
        int port = port(authority, ipv6 ? hostEnd + 1 : hostEnd, scheme);
        if (port < 0) {
            return invalid("the URL's port is not a number from 1 to 65535");
        }
        Origin origin = new Origin(scheme, host, port);
        return agreesWithTheJdk(origin) ? new TargetUrl(origin, "/") : invalid("the URL's host is ambiguous");
    }

    /** Parses path, query and fragment. */
    static UrlCheckResult parsePath(Origin origin, String url, int from) {
        int fragment = url.indexOf('#', from);
        int end = fragment < 0 ? url.length() : fragment;
        int query = url.indexOf('?', from);
        int pathEnd = query < 0 || query > end ? end : query;
        if (!valid(url, from, pathEnd, IN_PATH)
                || !valid(url, Math.min(pathEnd + 1, end), end, IN_QUERY)
                || !valid(url, Math.min(end + 1, url.length()), url.length(), IN_QUERY)) {
            return invalid("the URL has a character that must be percent-encoded");
        }
        if (from == end) {
            return new TargetUrl(origin, "/");
        }
        String rest = url.substring(from, end);
        return new TargetUrl(origin, pathEnd == from ? "/" + rest : rest);
    }

    private static boolean valid(String url, int from, int to, boolean[] allowed) {
        for (int i = from; i < to; i++) {
            char c = url.charAt(i);
            if (c == '%') {
                if (i + 2 >= to || !isHex(url.charAt(i + 1)) || !isHex(url.charAt(i + 2))) {
                    return false;
                }
                i += 2;
            } else if (c >= 0x80 || !allowed[c]) {
                return false;
            }
        }
        return true;
    }

    private static boolean isHex(char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    }

    private static boolean isScheme(String text, int end) {
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            boolean other = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
            if (!letter && (i == 0 || !other)) {
                return false;
            }
        }
        return end > 0;
    }

    private static boolean isHttp(String scheme) {
        return scheme.equals("http") || scheme.equals("https");
    }

    /**
     * Returns the port after the colon at that index, the scheme's default if there is none, or -1 if it is not valid.
     */
    private static int port(String authority, int colon, String scheme) {
        if (colon < 0 || colon == authority.length()) {
            return scheme.equals("https") ? 443 : 80;
        }
        int digits = authority.length() - colon - 1;
        if (authority.charAt(colon) != ':' || digits < 1 || digits > 5) {
            return -1;
        }
        int port = 0;
        for (int i = colon + 1; i < authority.length(); i++) {
            char c = authority.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            port = port * 10 + (c - '0');
        }
        return port >= 1 && port <= 65_535 && authority.charAt(colon + 1) != '0' ? port : -1;
    }

    /** Checks the canonical form with a second parser. Called once for each origin, not for each call. */
    private static boolean agreesWithTheJdk(Origin origin) {
        try {
            URI uri = new URI(origin.scheme() + "://" + origin.destination() + "/").parseServerAuthority();
            return origin.hostInUrl().equals(uri.getHost())
                    && origin.port() == uri.getPort()
                    && uri.getUserInfo() == null;
        } catch (URISyntaxException ambiguous) {
            return false;
        }
    }

    private static Rejection schemeNotAllowed() {
        return new Rejection(ErrorCode.SCHEME_NOT_ALLOWED, "only http and https URLs are called");
    }

    private static Rejection invalid(String message) {
        return new Rejection(ErrorCode.INVALID_URL, message);
    }

    private static boolean[] allowed(String characters) {
        boolean[] table = new boolean[0x80];
        characters.chars().forEach(c -> table[c] = true);
        return table;
    }
}

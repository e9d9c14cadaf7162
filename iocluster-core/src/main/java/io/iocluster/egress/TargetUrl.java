package io.iocluster.egress;

/**
 * A URL in canonical form that passed the strict parser. The HTTP client gets no other URL.
 *
 * @param origin scheme, host and port; usually one object for all calls to it
 * @param pathAndQuery starts with a slash
 */
public record TargetUrl(Origin origin, String pathAndQuery) implements UrlCheckResult {

    public TargetUrl(String scheme, String host, int port, String pathAndQuery) {
        this(new Origin(scheme, host, port), pathAndQuery);
    }

    /**
     * Parses an absolute URL. No policy checks it.
     *
     * @throws IllegalArgumentException if it is not valid
     */
    public static TargetUrl parse(String url) {
        int end = UrlParser.originEnd(url);
        UrlCheckResult checked = end < 0 ? UrlParser.rejectRelative(url) : UrlParser.parseOrigin(url.substring(0, end));
        if (checked instanceof TargetUrl root) {
            checked = UrlParser.parsePath(root.origin(), url, end);
        }
        if (checked instanceof TargetUrl target) {
            return target;
        }
        throw new IllegalArgumentException(((Rejection) checked).message() + ": " + url);
    }

    /** Returns {@code http} or {@code https}. */
    public String scheme() {
        return origin.scheme();
    }

    /** Returns the host in lower case; an IPv6 address without brackets. */
    public String host() {
        return origin.host();
    }

    /** Returns the port, from 1 to 65535. */
    public int port() {
        return origin.port();
    }

    /** Returns {@code host:port} for metrics and logs. Omits the path, which may contain secrets. */
    public String destination() {
        return origin.destination();
    }
}

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

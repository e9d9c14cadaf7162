package io.iocluster.egress;

/**
 * A URL that passed the one strict parser, in canonical spelling; nothing else is handed to the HTTP client.
 *
 * @param origin whom to call; the same object for calls to one place where it can be
 * @param pathAndQuery starts with a slash
 */
public record TargetUrl(Origin origin, String pathAndQuery) implements UrlCheckResult {

    public TargetUrl(String scheme, String host, int port, String pathAndQuery) {
        this(new Origin(scheme, host, port), pathAndQuery);
    }

    /** {@code http} or {@code https}. */
    public String scheme() {
        return origin.scheme();
    }

    /** Lower case; an IPv6 address without its brackets. */
    public String host() {
        return origin.host();
    }

    /** Always given, 1 to 65535. */
    public int port() {
        return origin.port();
    }

    public boolean isSecure() {
        return origin.isSecure();
    }

    /** {@code host:port}, what metrics and logs name: never the path, which may hold what no log should. */
    public String destination() {
        return origin.destination();
    }
}

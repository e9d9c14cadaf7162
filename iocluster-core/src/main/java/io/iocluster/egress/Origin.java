package io.iocluster.egress;

/**
 * Scheme, host and port of a URL. Calls to one origin share an instance where possible, so that derived values are
 * computed once.
 *
 * @param scheme {@code http} or {@code https}
 * @param host lower case, no trailing dot; an IPv6 address without its brackets
 * @param port from 1 to 65535, even if the URL names none
 * @param destination {@code host:port}, for metrics and logs
 */
public record Origin(String scheme, String host, int port, String destination) {

    public Origin(String scheme, String host, int port) {
        this(scheme, host, port, bracketed(host) + ":" + port);
    }

    /**
     * Parses {@code host:port}, as the origin of an {@code http} URL.
     *
     * @throws IllegalArgumentException if the text is not a host and a port
     */
    public static Origin parseHostAndPort(String text) {
        boolean hasPort = text.matches(".+:[0-9]{1,5}") && text.indexOf('/') < 0;
        if (hasPort && UrlParser.parseOrigin("http://" + text) instanceof TargetUrl target) {
            return target.origin();
        }
        throw new IllegalArgumentException("must be host:port: " + text);
    }

    public boolean isSecure() {
        return scheme.equals("https");
    }

    /** Returns the host as it appears in a URL: an IPv6 address in brackets. */
    public String hostInUrl() {
        return bracketed(host);
    }

    /**
     * Returns the value of the Host header: {@code host}, or {@code host:port} if the port is not the scheme's default.
     */
    public String authority() {
        return port == (isSecure() ? 443 : 80) ? hostInUrl() : destination;
    }

    /** Returns a canonical host as it appears in a URL. */
    static String bracketed(String host) {
        return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    }
}

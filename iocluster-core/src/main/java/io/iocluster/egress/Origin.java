package io.iocluster.egress;

/**
 * The part of a URL that says whom to call. Calls to one place share one, so that what is derived from it is made once.
 *
 * @param scheme {@code http} or {@code https}
 * @param host lower case, no trailing dot; an IPv6 address without its brackets
 * @param port always given, 1 to 65535
 * @param destination {@code host:port}, what metrics and logs name
 */
public record Origin(String scheme, String host, int port, String destination) {

    public Origin(String scheme, String host, int port) {
        this(scheme, host, port, bracketed(host) + ":" + port);
    }

    public boolean isSecure() {
        return scheme.equals("https");
    }

    /** The host as a URL writes it: an IPv6 address in brackets. */
    public String hostInUrl() {
        return bracketed(host);
    }

    /** {@code host}, or {@code host:port} where the port is not the scheme's own: what the Host header says. */
    public String authority() {
        return port == (isSecure() ? 443 : 80) ? hostInUrl() : destination;
    }

    private static String bracketed(String host) {
        return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    }
}

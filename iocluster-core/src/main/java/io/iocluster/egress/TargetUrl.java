package io.iocluster.egress;

/**
 * A URL that passed the one strict parser, in canonical spelling; nothing else is handed to the HTTP client.
 *
 * @param scheme {@code http} or {@code https}
 * @param host lower case; an IPv6 address without its brackets
 * @param port always given, 1 to 65535
 * @param pathAndQuery starts with a slash
 */
public record TargetUrl(String scheme, String host, int port, String pathAndQuery) {

    public boolean secure() {
        return scheme.equals("https");
    }

    /** {@code host:port}, what metrics and logs name: never the path, which may hold what no log should. */
    public String destination() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}

package io.iocluster.http;

import io.iocluster.egress.Origin;
import java.util.regex.Pattern;

/**
 * Where an attempt connects to, if not to the host and port of its URL. Host header, TLS server name and egress rules stay those of the
 * URL. Immutable.
 *
 * @param host a name or an address in canonical form; an IPv6 address without its brackets
 * @param zone where it runs; empty if that is unknown
 */
public record UpstreamAddress(String host, int port, String zone) {

    private static final Pattern ZONE = Pattern.compile("[\\w.-]{1,100}");

    /** Creates an address in an unknown zone. */
    public UpstreamAddress(String host, int port) {
        this(host, port, "");
    }

    /**
     * Parses {@code host:port} or {@code host:port@zone}, with an IPv6 address in brackets.
     *
     * @throws IllegalArgumentException if the text is none of these
     */
    public static UpstreamAddress parse(String text) {
        int at = text.indexOf('@');
        Origin origin = Origin.parseHostAndPort(at < 0 ? text : text.substring(0, at));
        if (at >= 0 && !isZone(text.substring(at + 1))) {
            throw new IllegalArgumentException("must end with a zone of letters, digits and any of . _ -: " + text);
        }
        return new UpstreamAddress(origin.host(), origin.port(), at < 0 ? "" : text.substring(at + 1));
    }

    /** Returns whether the text can name a zone. */
    public static boolean isZone(String text) {
        return ZONE.matcher(text).matches();
    }

    /** Returns a copy in another zone. */
    public UpstreamAddress withZone(String newZone) {
        return new UpstreamAddress(host, port, newZone);
    }

    /** Returns the host as it appears in a URL: an IPv6 address in brackets. */
    public String hostInUrl() {
        return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    }

    /** Returns {@code host:port}. */
    @Override
    public String toString() {
        return hostInUrl() + ":" + port;
    }
}

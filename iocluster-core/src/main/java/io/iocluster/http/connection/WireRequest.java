package io.iocluster.http.connection;

import io.netty.handler.codec.http.HttpMethod;

/**
 * A request in the form in which HTTP/1.1 and HTTP/2 send it. Does not copy its arrays, which must not change.
 *
 * @param uri the request target of HTTP/1.1: path and query, or the whole URL for a proxy
 * @param path path and query
 * @param lines header names and values, alternating. Host and Connection come first, because only HTTP/1.1 sends them
 * @param body null for none
 */
public record WireRequest(
        HttpMethod method,
        String scheme,
        String authority,
        String uri,
        String path,
        CharSequence[] lines,
        byte[] body) {

    /** Index in the lines of the first header that HTTP/2 sends too. */
    public static final int FIRST_HTTP2_HEADER = 4;

    /** Returns whether a response has no body, even if its headers describe one (RFC 9110, section 6.4.1). */
    public static boolean excludesBody(HttpMethod method, int status) {
        return method == HttpMethod.HEAD || status < 200 || status == 204 || status == 304;
    }
}

package io.iocluster.http.connection;

import io.netty.handler.codec.http.HttpMethod;

/**
 * A request as it is sent, in both versions of HTTP. Immutable, though its arrays are not copied.
 *
 * @param uri the request target of HTTP/1.1: path and query, or the whole URL for a proxy
 * @param path path and query
 * @param lines names and values of all headers in turns: Host and Connection, which only HTTP/1.1 sends, then those of both versions
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

    /** Index of the first line that both versions send. */
    public static final int FIRST_OF_BOTH_VERSIONS = 4;

    /** Returns whether the response has no body, although it describes one. */
    public boolean isHead() {
        return method == HttpMethod.HEAD;
    }

    /** Returns whether the request can be sent twice (RFC 9110, section 9.2.2). */
    public boolean isIdempotent() {
        return method != HttpMethod.POST && method != HttpMethod.PATCH;
    }
}

package io.iocluster.http.connection;

import io.netty.handler.codec.http.HttpMethod;

/**
 * A request in the form in which HTTP/1.1 and HTTP/2 send it. Does not copy its arrays, which must not change.
 *
 * @param uri the request target of HTTP/1.1: path and query, or the whole URL for a proxy
 * @param path path and query
 * @param lines header names and values, alternating: first Host and Connection, which only HTTP/1.1 sends, then those of both versions
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

    /** Returns whether this is a HEAD request: its response has no body, even if its headers describe one. */
    public boolean isHead() {
        return method == HttpMethod.HEAD;
    }
}

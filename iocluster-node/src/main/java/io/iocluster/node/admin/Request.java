package io.iocluster.node.admin;

import com.sun.net.httpserver.Headers;

/** What the admin server was asked, its body read whole. */
record Request(String method, String path, Headers headers, byte[] body) {

    /** The header's first value, or null. */
    String header(String name) {
        return headers.getFirst(name);
    }

    /** Whether it may change something. */
    boolean changes() {
        return !method.equals("GET") && !method.equals("HEAD");
    }
}

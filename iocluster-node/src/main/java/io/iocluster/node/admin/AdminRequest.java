package io.iocluster.node.admin;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;

/**
 * A request to the admin server with its whole body.
 *
 * @param path the decoded path, without the query
 */
public record AdminRequest(String method, String path, RequestHeaders headers, byte[] body) {

    /** Returns the first value of the header, or null. */
    public String header(String name) {
        return headers.get(HttpHeaderNames.of(name));
    }

    /** Returns the host and port that the client asked for, or null. */
    String host() {
        return headers.authority();
    }

    /** Returns whether the request may change something. */
    boolean isMutating() {
        return !method.equals("GET") && !method.equals("HEAD");
    }
}

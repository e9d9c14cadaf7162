package io.iocluster.http;

import io.iocluster.egress.TargetUrl;
import io.iocluster.message.Header;
import java.util.List;

/**
 * One call to make, checked already.
 *
 * @param method one that is allowed, in upper case
 * @param headers checked names and values, none of those that the node owns
 * @param body null for none; never written to
 */
public record HttpRequest(String method, TargetUrl url, List<Header> headers, byte[] body) {

    /** Whether making the call twice does what making it once does (RFC 9110, section 9.2.2). */
    public boolean idempotent() {
        return switch (method) {
            case "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE" -> true;
            default -> false;
        };
    }
}

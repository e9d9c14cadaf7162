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
 * @param credential the name of the credential to make it with, or null for none
 */
public record HttpRequest(String method, TargetUrl url, List<Header> headers, byte[] body, String credential) {

    /** One without a credential. */
    public HttpRequest(String method, TargetUrl url, List<Header> headers, byte[] body) {
        this(method, url, headers, body, null);
    }

    /** The same call with another credential. */
    public HttpRequest withCredential(String otherCredential) {
        return new HttpRequest(method, url, headers, body, otherCredential);
    }

    /** Whether making the call twice does what making it once does (RFC 9110, section 9.2.2). */
    public boolean isIdempotent() {
        return switch (method) {
            case "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE" -> true;
            default -> false;
        };
    }

    /** Nothing that could be a secret. */
    @Override
    public String toString() {
        return method + " " + url.destination();
    }
}

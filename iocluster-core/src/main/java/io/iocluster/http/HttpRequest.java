package io.iocluster.http;

import io.iocluster.egress.TargetUrl;
import io.iocluster.message.Header;
import java.util.List;

/**
 * One HTTP request that passed all checks.
 *
 * @param method an allowed method in upper case
 * @param headers valid names and values, without the headers that the node sets itself
 * @param body null for none; not modified
 * @param credential the name of the credential to use, or null for none
 * @param callId the id of the call, the same for all of its attempts; null if no attempt with a credential was prepared yet
 * @param upstream where this attempt connects to; null for the host and port of the URL
 * @param upstreamHistory the same for all attempts of the call; null if its destination has no upstreams
 */
public record HttpRequest(
        String method,
        TargetUrl url,
        List<Header> headers,
        byte[] body,
        String credential,
        String callId,
        UpstreamAddress upstream,
        UpstreamHistory upstreamHistory) {

    /** Creates a request without a credential. */
    public HttpRequest(String method, TargetUrl url, List<Header> headers, byte[] body) {
        this(method, url, headers, body, null, null, null, null);
    }

    /** Returns a copy with another credential. */
    public HttpRequest withCredential(String newCredential) {
        return new HttpRequest(method, url, headers, body, newCredential, callId, upstream, upstreamHistory);
    }

    /** Returns a copy with another URL. */
    public HttpRequest withUrl(TargetUrl newUrl) {
        return new HttpRequest(method, newUrl, headers, body, credential, callId, upstream, upstreamHistory);
    }

    /** Returns a copy with other headers. */
    public HttpRequest withHeaders(List<Header> newHeaders) {
        return new HttpRequest(method, url, newHeaders, body, credential, callId, upstream, upstreamHistory);
    }

    /** Returns a copy with another call id. */
    public HttpRequest withCallId(String newCallId) {
        return new HttpRequest(method, url, headers, body, credential, newCallId, upstream, upstreamHistory);
    }

    /** Returns a copy that connects to this upstream. */
    public HttpRequest withUpstream(UpstreamAddress newUpstream) {
        return new HttpRequest(method, url, headers, body, credential, callId, newUpstream, upstreamHistory);
    }

    /** Returns a copy with a history, which learns where this attempt connects to. */
    public HttpRequest withUpstreamHistory(UpstreamHistory newHistory) {
        return new HttpRequest(method, url, headers, body, credential, callId, upstream, newHistory);
    }

    /** Returns the size of the body, 0 for none. */
    public int bodyBytes() {
        return body == null ? 0 : body.length;
    }

    /** Returns whether the method is idempotent (RFC 9110, section 9.2.2). */
    public boolean isIdempotent() {
        return switch (method) {
            case "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE" -> true;
            default -> false;
        };
    }

    /** Omits everything that could be a secret. */
    @Override
    public String toString() {
        return method + " " + url.destination();
    }
}

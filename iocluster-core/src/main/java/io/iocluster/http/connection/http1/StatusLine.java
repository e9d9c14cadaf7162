package io.iocluster.http.connection.http1;

import io.iocluster.http.connection.ProtocolViolationException;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;

/** Parses the parts of a status line. Ignores the reason phrase. Stateless. */
final class StatusLine {

    private StatusLine() {}

    /**
     * Returns HTTP/1.0 or HTTP/1.1. The latter also stands for higher versions, because some servers name HTTP/2 although they send
     * HTTP/1.1. The letters may have either case.
     *
     * @throws ProtocolViolationException if the text is not a version of HTTP from 1.0
     */
    static HttpVersion version(String text) {
        if (text.equals("HTTP/1.1") || text.equalsIgnoreCase("HTTP/1.1")) {
            return HttpVersion.HTTP_1_1;
        }
        if (text.equalsIgnoreCase("HTTP/1.0")) {
            return HttpVersion.HTTP_1_0;
        }
        if (text.matches("(?i)HTTP/(1\\.[2-9]|[2-9](\\.[0-9])?)")) {
            return HttpVersion.HTTP_1_1;
        }
        throw new ProtocolViolationException("it does not begin with HTTP/1.1");
    }

    /**
     * Returns the status.
     *
     * @throws ProtocolViolationException if the text is not a number of three digits from 100
     */
    static HttpResponseStatus status(String text) {
        int status = 0;
        for (int i = 0; i < text.length() && status >= 0; i++) {
            int digit = text.charAt(i) - '0';
            status = digit < 0 || digit > 9 || i > 2 ? -1 : status * 10 + digit;
        }
        if (status < 100) {
            throw new ProtocolViolationException("the status is not a number from 100 to 999");
        }
        return HttpResponseStatus.valueOf(status);
    }
}

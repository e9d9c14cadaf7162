package io.iocluster.http.connection.http2;

import io.iocluster.http.connection.HeaderValues;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Headers.PseudoHeaderName;
import java.util.Map;

/** Reads the head of a response. Netty has validated the names, the pseudo-headers and the length. */
final class ResponseHead {

    private static final DefaultHttpHeadersFactory UNCHECKED =
            DefaultHttpHeadersFactory.headersFactory().withValidation(false);

    private static final int MAX_LENGTH_DIGITS = 18;
    private static final int BYTES_PER_HEADER = 32;

    private ResponseHead() {}

    /** Returns the size of a list of headers in bytes as SETTINGS_MAX_HEADER_LIST_SIZE counts it (RFC 9113, section 6.5.2). */
    static long size(Http2Headers headers) {
        long size = 0;
        for (Map.Entry<CharSequence, CharSequence> each : headers) {
            size += each.getKey().length() + each.getValue().length() + BYTES_PER_HEADER;
        }
        return size;
    }

    /** Returns whether a value has a control character. Netty would also refuse a blank before a value, which curl and Go accept. */
    static boolean hasControlCharacter(Http2Headers headers) {
        for (Map.Entry<CharSequence, CharSequence> each : headers) {
            if (HeaderValues.hasControlCharacter(each.getValue().toString())) {
                return true;
            }
        }
        return false;
    }

    /** Returns the status, or 0 if it is not a number of three digits. */
    static int status(Http2Headers headers) {
        CharSequence text = headers.status();
        if (text == null || text.length() != 3) {
            return 0;
        }
        int status = 0;
        for (int i = 0; i < 3; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return 0;
            }
            status = status * 10 + digit;
        }
        return status;
    }

    /** Returns the headers without the pseudo-headers, in their order. */
    static HttpHeaders headers(Http2Headers received) {
        HttpHeaders headers = UNCHECKED.newHeaders();
        for (Map.Entry<CharSequence, CharSequence> each : received) {
            if (!PseudoHeaderName.hasPseudoHeaderFormat(each.getKey())) {
                headers.add(each.getKey(), each.getValue());
            }
        }
        return headers;
    }

    /** Returns the length of the body as the headers say it, or -1 if they do not. */
    static long bodyLength(HttpHeaders headers) {
        String announced = headers.get(HttpHeaderNames.CONTENT_LENGTH);
        boolean isNumber = announced != null
                && !announced.isEmpty()
                && announced.length() <= MAX_LENGTH_DIGITS
                && announced.chars().allMatch(digit -> digit >= '0' && digit <= '9');
        return isNumber ? Long.parseLong(announced) : -1;
    }
}

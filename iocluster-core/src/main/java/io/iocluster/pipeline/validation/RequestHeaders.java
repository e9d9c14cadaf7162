package io.iocluster.pipeline.validation;

import io.iocluster.message.Header;
import java.util.ArrayList;
import java.util.List;

/**
 * Converts the headers of a request to a form that means the same in HTTP/1.1 and HTTP/2. Stateless.
 *
 * <p>HTTP/1.1 does not transmit blanks around a value (RFC 9110, section 5.5), and in HTTP/2 they make the request malformed (RFC 9113,
 * section 8.2.1). An HTTP/2 target joins several {@code cookie} headers (section 8.2.3), and an HTTP/1.1 target may use only one of them
 * (RFC 6265, section 5.4).
 */
final class RequestHeaders {

    private static final String COOKIE = "Cookie";

    private RequestHeaders() {}

    /**
     * Returns the headers without blanks around their values and with one {@code Cookie}. Returns the given list if it has that form.
     * Takes linear time. Checks nothing.
     */
    static List<Header> normalise(List<Header> headers) {
        int cookies = 0;
        boolean blanks = false;
        for (int i = 0; i < headers.size(); i++) {
            Header header = headers.get(i);
            blanks |= hasOuterBlank(header.value());
            if (isCookie(header)) {
                cookies++;
            }
        }
        if (!blanks && cookies < 2) {
            return headers;
        }
        return rewrite(headers);
    }

    private static List<Header> rewrite(List<Header> headers) {
        List<Header> rewritten = new ArrayList<>(headers.size());
        StringBuilder cookies = new StringBuilder();
        int cookieIndex = -1;
        for (Header header : headers) {
            String value = strip(header.value());
            if (!isCookie(header)) {
                rewritten.add(new Header(header.name(), value));
                continue;
            }
            if (cookieIndex < 0) {
                cookieIndex = rewritten.size();
                rewritten.add(header);
            }
            if (!value.isEmpty()) {
                cookies.append(cookies.isEmpty() ? "" : "; ").append(value);
            }
        }
        if (cookieIndex >= 0) {
            rewritten.set(cookieIndex, new Header(rewritten.get(cookieIndex).name(), cookies.toString()));
        }
        return rewritten;
    }

    private static boolean isCookie(Header header) {
        return header.name().equalsIgnoreCase(COOKIE);
    }

    private static boolean hasOuterBlank(String value) {
        return !value.isEmpty() && (isBlank(value.charAt(0)) || isBlank(value.charAt(value.length() - 1)));
    }

    private static String strip(String value) {
        int start = 0;
        int end = value.length();
        while (start < end && isBlank(value.charAt(start))) {
            start++;
        }
        while (end > start && isBlank(value.charAt(end - 1))) {
            end--;
        }
        return value.substring(start, end);
    }

    /** Only these are optional whitespace in HTTP. Other control characters are refused, not removed. */
    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }
}

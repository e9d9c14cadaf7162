package io.iocluster.egress;

import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.RequestEnvelope;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks methods and headers by what holds for HTTP/1.1 and HTTP/2 alike, because the target chooses the protocol. A call may not set
 * the headers that frame a message on the wire. Immutable.
 */
final class RequestRules {

    /** Bytes of one header line beside name and value: a colon, a space and a line end. */
    private static final int LINE_OVERHEAD = 4;

    private static final boolean[] TOKEN = new boolean[0x80];
    private static final HeaderNames NODE_HEADERS = HeaderNames.of(
            "Host",
            "Content-Length",
            "Transfer-Encoding",
            "TE",
            "Trailer",
            "Connection",
            "Keep-Alive",
            "Upgrade",
            "Expect",
            "HTTP2-Settings");

    /**
     * Request headers that are no list (RFC 9110, section 5.3, RFC 6265, section 5.4, and the draft of Idempotency-Key). Which of two values
     * a target uses depends on the target and on the proxies before it.
     */
    private static final HeaderNames SINGLE_VALUED = HeaderNames.of(
            "Authorization",
            "Content-Location",
            "Content-Range",
            "Content-Type",
            "Cookie",
            "Date",
            "From",
            "Idempotency-Key",
            "If-Modified-Since",
            "If-Range",
            "If-Unmodified-Since",
            "Max-Forwards",
            "Origin",
            "Range",
            "Referer",
            "User-Agent");

    static {
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-.^_`|~"
                .chars()
                .forEach(c -> TOKEN[c] = true);
    }

    private final int maxHeaders;
    private final long maxBytes;

    RequestRules(int maxHeaders, long maxBytes) {
        this.maxHeaders = maxHeaders;
        this.maxBytes = maxBytes;
    }

    /** Returns why a call with this method and these headers is rejected, or empty. */
    Optional<Rejection> check(String method, List<Header> headers) {
        if (!RequestEnvelope.METHODS.contains(method)) {
            return reject(ErrorCode.INVALID_METHOD, ErrorCode.INVALID_METHOD.description());
        }
        if (headers.size() > maxHeaders) {
            return reject(ErrorCode.TOO_MANY_HEADERS, "more than " + maxHeaders + " headers");
        }
        long bytes = 0;
        for (int i = 0; i < headers.size(); i++) {
            Header header = headers.get(i);
            bytes += header.name().length() + header.value().length() + LINE_OVERHEAD;
            if (bytes > maxBytes) {
                return reject(ErrorCode.TOO_MANY_HEADERS, "headers of more than " + maxBytes + " bytes");
            }
            if (!isToken(header.name())) {
                return reject(
                        ErrorCode.INVALID_HEADER, "the name of header " + (i + 1) + " is not a valid header name");
            }
            if (!isSendable(header.value())) {
                return reject(
                        ErrorCode.INVALID_HEADER,
                        "the value of " + header.name() + " has a character that cannot be sent");
            }
            if (isSetByNode(header.name())) {
                return reject(
                        ErrorCode.FORBIDDEN_HEADER,
                        "the header " + header.name() + " is set by the node; remove it from the envelope");
            }
            if (SINGLE_VALUED.contains(header.name()) && isRepeated(headers, i)) {
                return reject(
                        ErrorCode.INVALID_HEADER,
                        "the header " + header.name() + " has several values, and the target might use any of them;"
                                + " send one");
            }
        }
        return Optional.empty();
    }

    /** Returns whether an earlier header has the same name. */
    private static boolean isRepeated(List<Header> headers, int index) {
        String name = headers.get(index).name();
        for (int i = 0; i < index; i++) {
            if (headers.get(i).name().equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isToken(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c >= 0x80 || !TOKEN[c]) {
                return false;
            }
        }
        return !name.isEmpty();
    }

    /**
     * Allows Latin-1 without control characters of ASCII except tabs. A blank at either end is not allowed, because HTTP/1.1 does not
     * transmit it (RFC 9110, section 5.5) and in HTTP/2 it makes the request malformed (RFC 9113, section 8.2.1).
     */
    private static boolean isSendable(String value) {
        int last = value.length() - 1;
        for (int i = 0; i <= last; i++) {
            char c = value.charAt(i);
            boolean blank = c == ' ' || c == '\t';
            if (c > 0xff || c == 0x7f || (c < ' ' && c != '\t') || (blank && (i == 0 || i == last))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSetByNode(String name) {
        return name.regionMatches(true, 0, "Proxy-", 0, 6) || NODE_HEADERS.contains(name);
    }

    /** Names of headers, grouped by length, so that most lookups compare nothing. Immutable. */
    private record HeaderNames(List<List<String>> byLength) {

        static HeaderNames of(String... names) {
            var grouped = Stream.of(names).collect(Collectors.groupingBy(String::length));
            int maxLength = Stream.of(names).mapToInt(String::length).max().orElse(0);
            return new HeaderNames(Stream.iterate(0, length -> length + 1)
                    .limit(maxLength + 1L)
                    .map(length -> grouped.getOrDefault(length, List.of()))
                    .toList());
        }

        /** Returns whether the name is one of these, in any case. */
        boolean contains(String name) {
            if (name.length() < byLength.size()) {
                for (String each : byLength.get(name.length())) {
                    if (each.equalsIgnoreCase(name)) {
                        return true;
                    }
                }
            }
            return false;
        }
    }

    private static Optional<Rejection> reject(ErrorCode code, String message) {
        return Optional.of(new Rejection(code, message));
    }
}

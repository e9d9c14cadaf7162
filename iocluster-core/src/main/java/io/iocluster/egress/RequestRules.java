package io.iocluster.egress;

import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks methods and headers. A call may not set the headers that frame a message on the wire. Immutable. */
final class RequestRules {

    /** Bytes of one header line beside name and value: a colon, a space and a line end. */
    private static final int LINE_OVERHEAD = 4;

    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
    private static final boolean[] TOKEN = new boolean[0x80];
    private static final List<List<String>> NODE_HEADERS_BY_LENGTH = byLength(
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
        if (!METHODS.contains(method)) {
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
        }
        return Optional.empty();
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
     * Allows visible Latin-1, spaces and tabs. Leading whitespace is not allowed, because it is not transmitted (RFC
     * 9110, section 5.5).
     */
    private static boolean isSendable(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean blank = c == ' ' || c == '\t';
            if (c > 0xff || c == 0x7f || (c < ' ' && c != '\t') || (blank && i == 0)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSetByNode(String name) {
        if (name.regionMatches(true, 0, "Proxy-", 0, 6)) {
            return true;
        }
        if (name.length() < NODE_HEADERS_BY_LENGTH.size()) {
            for (String nodeHeader : NODE_HEADERS_BY_LENGTH.get(name.length())) {
                if (nodeHeader.equalsIgnoreCase(name)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static List<List<String>> byLength(String... names) {
        var grouped = Stream.of(names).collect(Collectors.groupingBy(String::length));
        int maxLength = Stream.of(names).mapToInt(String::length).max().orElse(0);
        return Stream.iterate(0, length -> length + 1)
                .limit(maxLength + 1L)
                .map(length -> grouped.getOrDefault(length, List.of()))
                .toList();
    }

    private static Optional<Rejection> reject(ErrorCode code, String message) {
        return Optional.of(new Rejection(code, message));
    }
}

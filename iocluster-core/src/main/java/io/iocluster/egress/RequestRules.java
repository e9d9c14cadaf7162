package io.iocluster.egress;

import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which methods and headers a call may have. What frames a message on the wire belongs to the node. Immutable. */
final class RequestRules {

    /** What one header line adds on the wire beside name and value: a colon, a blank and a line end. */
    private static final int LINE_OVERHEAD = 4;

    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
    private static final boolean[] TOKEN = new boolean[0x80];
    private static final List<List<String>> OWNED_BY_LENGTH = byLength(
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

    private final int mostHeaders;
    private final long mostBytes;

    RequestRules(int mostHeaders, long mostBytes) {
        this.mostHeaders = mostHeaders;
        this.mostBytes = mostBytes;
    }

    /** Why a call with this method and these headers is not made, if so. */
    Optional<Rejection> check(String method, List<Header> headers) {
        if (!METHODS.contains(method)) {
            return refuse(ErrorCode.INVALID_METHOD, ErrorCode.INVALID_METHOD.description());
        }
        if (headers.size() > mostHeaders) {
            return refuse(ErrorCode.TOO_MANY_HEADERS, "more than " + mostHeaders + " headers");
        }
        long bytes = 0;
        for (int i = 0; i < headers.size(); i++) {
            Header header = headers.get(i);
            bytes += header.name().length() + header.value().length() + LINE_OVERHEAD;
            if (bytes > mostBytes) {
                return refuse(ErrorCode.TOO_MANY_HEADERS, "headers of more than " + mostBytes + " bytes");
            }
            if (!isToken(header.name())) {
                return refuse(ErrorCode.INVALID_HEADER, "the name of header " + (i + 1) + " is no token");
            }
            if (!isSendable(header.value())) {
                return refuse(
                        ErrorCode.INVALID_HEADER,
                        "the value of " + header.name() + " has a character that cannot be sent");
            }
            if (isOwnedByTheNode(header.name())) {
                return refuse(ErrorCode.FORBIDDEN_HEADER, "the header " + header.name() + " belongs to the node");
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

    /** Visible Latin-1, blanks and tabs, and no blank in front, which would not arrive (RFC 9110, section 5.5). */
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

    private static boolean isOwnedByTheNode(String name) {
        if (name.regionMatches(true, 0, "Proxy-", 0, 6)) {
            return true;
        }
        if (name.length() < OWNED_BY_LENGTH.size()) {
            for (String owned : OWNED_BY_LENGTH.get(name.length())) {
                if (owned.equalsIgnoreCase(name)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static List<List<String>> byLength(String... names) {
        var grouped = Stream.of(names).collect(Collectors.groupingBy(String::length));
        int longest = Stream.of(names).mapToInt(String::length).max().orElse(0);
        return Stream.iterate(0, length -> length + 1)
                .limit(longest + 1L)
                .map(length -> grouped.getOrDefault(length, List.of()))
                .toList();
    }

    private static Optional<Rejection> refuse(ErrorCode code, String message) {
        return Optional.of(new Rejection(code, message));
    }
}

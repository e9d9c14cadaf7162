package io.iocluster.http.client.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Reads the bytes of a response by the letter of RFC 9112. What the RFC does not allow, or leaves to the client, makes the verdict unclear,
 * except if no reading finds the end of the response.
 */
final class Http1Reference {

    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.[01] [1-5][0-9]{2}( [\\t\\x20-\\x7e]*)?");
    private static final Pattern HEADER = Pattern.compile(
            "[!#$%&'*+.^_`|~0-9A-Za-z-]+:[ \\t]*([\\x21-\\x7e]([\\t\\x20-\\x7e]*[\\x21-\\x7e])?)?[ \\t]*");
    private static final Pattern CHUNK_SIZE = Pattern.compile("([0-9a-fA-F]{1,6})(;[a-z]+(=(\"[a-z]*\"|[a-z]+))?)?");
    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,8}");
    private static final int MAX_HEAD = 4_096;
    private static final int MAX_INTERIM = 10;

    private final String text;
    private final String method;
    private final boolean closedCleanly;
    private int next;

    Http1Reference(byte[] bytes, String method, boolean closedCleanly) {
        this.text = new String(bytes, StandardCharsets.ISO_8859_1);
        this.method = method;
        this.closedCleanly = closedCleanly;
    }

    Verdict verdict() {
        try {
            return read();
        } catch (EndOfBytes end) {
            return Verdict.incomplete();
        } catch (NotAllowed unclear) {
            return hasNoEnd() ? Verdict.incomplete() : Verdict.unclear();
        }
    }

    /** Returns whether these bytes contain no end of a response. */
    private boolean hasNoEnd() {
        boolean hasHead = text.contains("\n\r\n") || text.contains("\n\n");
        String lower = text.toLowerCase(Locale.ROOT);
        boolean endsWithConnection = !method.equals("HEAD")
                && !lower.contains("content-length")
                && !lower.contains("transfer-encoding")
                && !lower.contains("204")
                && !lower.contains("304");
        return !hasHead || (endsWithConnection && !closedCleanly);
    }

    private Verdict read() throws EndOfBytes, NotAllowed {
        for (int interim = 0; ; interim++) {
            String statusLine = line();
            require(STATUS_LINE.matcher(statusLine).matches());
            int status = Integer.parseInt(statusLine.substring(9, 12));
            List<String> headers = headers();
            if (status >= 200) {
                return body(statusLine.startsWith("HTTP/1.0"), status, headers);
            }
            require(status != 101 && interim < MAX_INTERIM && statusLine.startsWith("HTTP/1.1"));
            require(values(headers, "content-length").isEmpty()
                    && values(headers, "transfer-encoding").isEmpty());
        }
    }

    private Verdict body(boolean old, int status, List<String> headers) throws EndOfBytes, NotAllowed {
        List<String> lengths = values(headers, "content-length");
        List<String> codings = values(headers, "transfer-encoding");
        require(lengths.size() + codings.size() <= 1);
        require(lengths.isEmpty() || LENGTH.matcher(lengths.get(0)).matches());
        require(codings.isEmpty() || (!old && codings.get(0).equalsIgnoreCase("chunked")));
        require(values(headers, "upgrade").isEmpty());
        boolean framed = !lengths.isEmpty() || !codings.isEmpty();
        if (method.equals("HEAD")) {
            return Verdict.complete(status, new byte[0]);
        }
        if (status == 204 || status == 304 || status == 205) {
            require(!framed || lengths.equals(List.of("0")));
            require(status != 205 || framed);
            return Verdict.complete(status, new byte[0]);
        }
        byte[] body;
        if (!lengths.isEmpty()) {
            body = Bytes.of(take(Integer.parseInt(lengths.get(0))));
        } else if (!codings.isEmpty()) {
            body = chunks();
        } else {
            if (!closedCleanly) {
                throw new EndOfBytes();
            }
            body = Bytes.of(text.substring(next));
        }
        return Verdict.complete(status, decode(status, headers, body));
    }

    private byte[] decode(int status, List<String> headers, byte[] body) throws NotAllowed {
        List<String> codings = values(headers, "content-encoding");
        if (codings.isEmpty() || codings.equals(List.of("br"))) {
            return body;
        }
        require(codings.size() == 1 && status != 206 && body.length > 0);
        require(codings.get(0).equals("gzip") || codings.get(0).equals("deflate"));
        byte[] decoded = Bytes.decode(codings.get(0), body);
        require(decoded != null);
        return decoded;
    }

    private byte[] chunks() throws EndOfBytes, NotAllowed {
        List<byte[]> chunks = new ArrayList<>();
        while (true) {
            var size = CHUNK_SIZE.matcher(line());
            require(size.matches());
            int length = Integer.parseInt(size.group(1), 16);
            if (length == 0) {
                headers();
                return Bytes.join(chunks);
            }
            chunks.add(Bytes.of(take(length)));
            require(line().isEmpty());
        }
    }

    private List<String> headers() throws EndOfBytes, NotAllowed {
        int start = next;
        List<String> headers = new ArrayList<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            require(HEADER.matcher(line).matches() && next - start < MAX_HEAD);
            headers.add(line);
        }
        return headers;
    }

    private static List<String> values(List<String> headers, String name) {
        return headers.stream()
                .filter(header -> header.toLowerCase(Locale.ROOT).startsWith(name + ":"))
                .map(header -> header.substring(name.length() + 1).strip())
                .toList();
    }

    /** Takes a line without its CRLF. A line with another end, or with a control character, is not allowed. */
    private String line() throws EndOfBytes, NotAllowed {
        for (int at = next; at < text.length(); at++) {
            char each = text.charAt(at);
            if (each == '\r' && at + 1 < text.length()) {
                require(text.charAt(at + 1) == '\n');
                String line = text.substring(next, at);
                next = at + 2;
                return line;
            }
            require(each == '\r' || each == '\t' || (each >= 0x20 && each < 0x7f));
        }
        throw new EndOfBytes();
    }

    private String take(int length) throws EndOfBytes {
        if (length > text.length() - next) {
            throw new EndOfBytes();
        }
        next += length;
        return text.substring(next - length, next);
    }

    private static void require(boolean allowed) throws NotAllowed {
        if (!allowed) {
            throw new NotAllowed();
        }
    }

    private static final class EndOfBytes extends Exception {
        private static final long serialVersionUID = 1;
    }

    private static final class NotAllowed extends Exception {
        private static final long serialVersionUID = 1;
    }
}

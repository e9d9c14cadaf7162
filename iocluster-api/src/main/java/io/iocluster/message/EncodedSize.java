package io.iocluster.message;

import java.util.Arrays;

/** Computes upper bounds for the size of an encoded answer. JSON writes a control character as six bytes. */
public final class EncodedSize {

    /** Bytes for the field names and numbers of an answer, which do not depend on sender or target. */
    private static final int FRAME = 640;

    private static final int HEADER = 8;
    private static final int LONGEST_ESCAPE = 6;
    private static final int LONGEST_CHARACTER = 3;

    private EncodedSize() {}

    /** Returns an upper bound without scanning the text: up to six times as high as {@link #upperBound}. */
    public static long estimate(Answer answer) {
        long characters = length(answer.id()) + length(answer.node()) + length(answer.context()) + answer.body().length;
        if (answer.error() != null) {
            characters += length(answer.error().message());
        }
        long bytes = FRAME;
        for (Header header : answer.headers()) {
            characters += header.name().length() + header.value().length();
            bytes += HEADER;
        }
        for (Answer result : answer.results()) {
            bytes += estimate(result);
        }
        return bytes + LONGEST_ESCAPE * characters;
    }

    /** Returns a tight upper bound. Scans all text. */
    public static long upperBound(Answer answer) {
        long bytes = FRAME + escaped(answer.id()) + escaped(answer.node()) + raw(answer.context());
        if (answer.error() != null) {
            bytes += escaped(answer.error().message());
        }
        for (Header header : answer.headers()) {
            bytes += HEADER + escaped(header.name()) + escaped(header.value());
        }
        for (Answer result : answer.results()) {
            bytes += upperBound(result);
        }
        return bytes + body(answer.body());
    }

    /** Returns an upper bound for an encoded body: text if the bytes are well-formed UTF-8, otherwise base64. */
    public static long ofBody(byte[] body) {
        return Utf8.isWellFormed(body) ? ofText(body) : ofBase64(body);
    }

    /** Returns the start of a body whose {@link #ofBody} is at most {@code maxBytes}. Text ends with a complete character. */
    public static byte[] truncateBody(byte[] body, long maxBytes) {
        if (ofBody(body) <= maxBytes) {
            return body;
        }
        if (Utf8.isWellFormed(body)) {
            return Arrays.copyOf(body, endOfText(body, maxBytes));
        }
        byte[] start = Arrays.copyOf(body, (int) Math.min(body.length, Math.max(0, maxBytes) / 4 * 3));
        // The start of a binary body may be text, which can be longer than base64.
        return Utf8.isWellFormed(start) ? Arrays.copyOf(start, endOfText(start, maxBytes)) : start;
    }

    private static int endOfText(byte[] body, long maxBytes) {
        long bytes = 0;
        for (int i = 0; i < body.length; i++) {
            bytes += ofTextByte(body[i]);
            if (bytes > maxBytes) {
                int end = i;
                while (end > 0 && (body[end] & 0xc0) == 0x80) {
                    end--;
                }
                return end;
            }
        }
        return body.length;
    }

    private static long length(String text) {
        return text == null ? 0 : text.length();
    }

    private static long raw(String json) {
        if (json == null) {
            return 0;
        }
        long bytes = 0;
        for (int i = 0; i < json.length(); i++) {
            bytes += json.charAt(i) < 0x80 ? 1 : LONGEST_CHARACTER;
        }
        return bytes;
    }

    private static long escaped(String text) {
        if (text == null) {
            return 0;
        }
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            bytes += c < 0x80 ? ofAscii(c) : LONGEST_CHARACTER;
        }
        return bytes;
    }

    /** Returns the size as text or as base64, whichever is longer. */
    private static long body(byte[] body) {
        return Math.max(ofText(body), ofBase64(body));
    }

    private static long ofText(byte[] body) {
        long bytes = 0;
        for (byte b : body) {
            bytes += ofTextByte(b);
        }
        return bytes;
    }

    private static int ofTextByte(byte b) {
        return b < 0 ? 1 : ofAscii(b);
    }

    private static long ofBase64(byte[] body) {
        return (body.length + 2L) / 3 * 4;
    }

    private static int ofAscii(int c) {
        return c < 0x20 ? LONGEST_ESCAPE : c == '"' || c == '\\' ? 2 : 1;
    }
}

package io.iocluster.message;

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
        long bytes = 0;
        for (byte b : body) {
            bytes += b < 0 ? 1 : ofAscii(b);
        }
        return Math.max(bytes, (body.length + 2L) / 3 * 4);
    }

    private static int ofAscii(int c) {
        return c < 0x20 ? LONGEST_ESCAPE : c == '"' || c == '\\' ? 2 : 1;
    }
}

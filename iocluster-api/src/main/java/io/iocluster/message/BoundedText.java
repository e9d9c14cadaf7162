package io.iocluster.message;

/**
 * Bounds the length of text that quotes input. Every message that may quote a sender, a target or a broker is truncated
 * here, so that the length of an answer, a header or a log line does not depend on the input. Stateless.
 */
public final class BoundedText {

    /** Maximum number of characters of a human-readable message. */
    public static final int MAX_CHARS = 500;

    private BoundedText() {}

    /**
     * Returns at most the first {@link #MAX_CHARS} characters; if any are cut, the full length follows. Null for null.
     */
    public static String truncate(String text) {
        return truncate(text, MAX_CHARS);
    }

    /**
     * Returns at most the first {@code maxChars} characters; if any are cut, the full length follows. Null for null.
     */
    public static String truncate(String text, int maxChars) {
        if (text == null || text.length() <= maxChars) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(maxChars - 1)) ? maxChars - 1 : maxChars;
        return text.substring(0, end) + "… (" + text.length() + " characters)";
    }
}

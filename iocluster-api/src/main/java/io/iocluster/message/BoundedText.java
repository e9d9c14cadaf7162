package io.iocluster.message;

/**
 * Bounds the length of text that quotes input. Every message that may quote a sender, a target or a broker passes through here,
 * so that an answer, a header or a log line never grows with the input. Stateless.
 */
public final class BoundedText {

    /** The most characters of a human-readable message. */
    public static final int MAX_CHARS = 500;

    private BoundedText() {}

    /** Returns the text, cut after {@link #MAX_CHARS} characters with a note of how many there were; null for null. */
    public static String truncate(String text) {
        return truncate(text, MAX_CHARS);
    }

    /** Returns the text, cut after {@code maxChars} characters with a note of how many there were; null for null. */
    public static String truncate(String text, int maxChars) {
        if (text == null || text.length() <= maxChars) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(maxChars - 1)) ? maxChars - 1 : maxChars;
        return text.substring(0, end) + "… (" + text.length() + " characters)";
    }
}

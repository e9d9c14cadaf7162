package io.iocluster.node.cli.terminal;

/** Makes text of unknown origin safe for a terminal, which would run the control sequences in it. */
public final class PrintableText {

    private PrintableText() {}

    /**
     * Returns the text with each control, format, private or unpaired character as {@code \}{@code u{…}}. Format
     * characters are included because they can reorder or hide the text around them.
     */
    public static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        text.codePoints().forEach(character -> {
            if (isPrintable(character)) {
                escaped.appendCodePoint(character);
            } else {
                escaped.append("\\u{").append(Integer.toHexString(character)).append('}');
            }
        });
        return escaped.toString();
    }

    /** Returns at most this many characters of the escaped text; an ellipsis stands for the rest. */
    public static String escape(String text, int length) {
        String escaped = escape(text);
        return escaped.length() <= length ? escaped : escaped.substring(0, Math.max(0, length - 1)) + "…";
    }

    private static boolean isPrintable(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.PRIVATE_USE,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}

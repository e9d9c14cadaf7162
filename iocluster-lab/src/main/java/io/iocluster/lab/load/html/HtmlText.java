package io.iocluster.lab.load.html;

import io.iocluster.node.cli.terminal.PrintableText;
import java.util.Locale;

/** Escapes text of unknown origin for HTML. */
public final class HtmlText {

    private HtmlText() {}

    /** Returns the text for an element or a quoted attribute. Control and format characters become visible. */
    public static String escape(String text) {
        String printable = PrintableText.escape(text);
        StringBuilder escaped = new StringBuilder(printable.length() + 16);
        for (int i = 0; i < printable.length(); i++) {
            char character = printable.charAt(i);
            switch (character) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.append(character);
            }
        }
        return escaped.toString();
    }

    /** Returns JSON in a form that can stand inside a script element. What is not plain ASCII text is escaped. */
    static String inScript(String json) {
        StringBuilder escaped = new StringBuilder(json.length());
        for (int i = 0; i < json.length(); i++) {
            char character = json.charAt(i);
            if (character > '~' || character == '&' || character == '<' || character == '>') {
                escaped.append(String.format(Locale.ROOT, "\\u%04x", (int) character));
            } else {
                escaped.append(character);
            }
        }
        return escaped.toString();
    }
}

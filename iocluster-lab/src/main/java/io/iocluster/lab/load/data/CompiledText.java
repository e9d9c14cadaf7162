package io.iocluster.lab.load.data;

import io.iocluster.lab.load.experiment.Placeholders;
import io.iocluster.lab.load.experiment.Placeholders.Reference;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import tools.jackson.core.io.JsonStringEncoder;

/** A text with placeholders, split once so that rendering a call is cheap. Immutable. */
final class CompiledText {

    /** A part of the text: either a literal or a placeholder. */
    private record Part(String literal, CallValue value, UnaryOperator<String> escape) {}

    /** Returns the value of a placeholder for the current call. */
    interface CallValue {

        String of(CurrentCall call);
    }

    private final List<Part> parts;
    private final String constant;

    private CompiledText(List<Part> parts) {
        this.parts = List.copyOf(parts);
        this.constant = parts.isEmpty() ? "" : parts.size() == 1 ? parts.get(0).literal() : null;
    }

    /**
     * Compiles a text.
     *
     * @param values resolves a placeholder
     */
    static CompiledText plain(String text, Function<Reference, CallValue> values) {
        return compile(text, values, UnaryOperator.identity());
    }

    /** Compiles a URL, whose values are percent-encoded unless one is at the beginning. */
    static CompiledText url(String text, Function<Reference, CallValue> values) {
        return compile(
                text,
                values,
                value -> URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20"));
    }

    /** Compiles a body. If it is JSON, the values are escaped for a JSON string. */
    static CompiledText body(String text, Function<Reference, CallValue> values) {
        String start = text.stripLeading();
        boolean json = (start.startsWith("{") && !start.startsWith("{{")) || start.startsWith("[");
        return compile(
                text,
                values,
                json
                        ? value -> new String(JsonStringEncoder.getInstance().quoteAsCharArray(value))
                        : UnaryOperator.identity());
    }

    private static CompiledText compile(
            String text, Function<Reference, CallValue> values, UnaryOperator<String> escape) {
        List<Part> parts = new ArrayList<>();
        Matcher placeholder = Placeholders.matcher(text);
        int end = 0;
        while (placeholder.find()) {
            if (placeholder.start() > end) {
                parts.add(new Part(text.substring(end, placeholder.start()), null, null));
            }
            boolean whole = placeholder.start() == 0;
            parts.add(new Part(
                    null,
                    values.apply(Placeholders.reference(placeholder.group(1))),
                    whole ? UnaryOperator.identity() : escape));
            end = placeholder.end();
        }
        if (end < text.length()) {
            parts.add(new Part(text.substring(end), null, null));
        }
        return new CompiledText(parts);
    }

    String render(CurrentCall call) {
        if (constant != null) {
            return constant;
        }
        StringBuilder rendered = new StringBuilder(128);
        for (Part part : parts) {
            rendered.append(part.literal != null ? part.literal : part.escape.apply(part.value.of(call)));
        }
        return rendered.toString();
    }

    /** Returns whether every call has the same text. */
    boolean isConstant() {
        return constant != null;
    }
}

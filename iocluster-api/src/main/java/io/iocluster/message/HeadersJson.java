package io.iocluster.message;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads and writes the {@code headers} field of both envelopes: a single value as a string, repeated headers as a list.
 * Stateless.
 */
final class HeadersJson {

    private static final int NONE = -1;

    private HeadersJson() {}

    /**
     * Reads the object at which the parser is, and moves the parser to its end.
     *
     * @param headers receives every header whose value is a string
     * @return false if a value is neither a string nor a list of strings
     */
    static boolean read(JsonParser parser, List<Header> headers) {
        boolean valid = true;
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            if (parser.nextToken() == JsonToken.START_ARRAY) {
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    valid &= readValue(parser, name, headers);
                }
            } else {
                valid &= readValue(parser, name, headers);
            }
        }
        return valid;
    }

    private static boolean readValue(JsonParser parser, String name, List<Header> headers) {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            parser.skipChildren();
            return false;
        }
        headers.add(new Header(name, parser.getString()));
        return true;
    }

    /** Takes linear time, because the target controls the headers of an answer. */
    static void write(JsonGenerator out, List<Header> headers) {
        out.writeName("headers");
        out.writeStartObject();
        int[] next = new int[headers.size()];
        boolean[] repeated = new boolean[headers.size()];
        link(headers, next, repeated);
        for (int i = 0; i < next.length; i++) {
            if (repeated[i]) {
                continue;
            }
            Header header = headers.get(i);
            out.writeName(header.name());
            if (next[i] == NONE) {
                out.writeString(header.value());
            } else {
                writeAll(out, headers, i, next);
            }
        }
        out.writeEndObject();
    }

    /**
     * Links headers of the same name.
     *
     * @param next receives the index of the next header of the same name, or {@link #NONE}
     * @param repeated receives whether an earlier header has the same name
     */
    private static void link(List<Header> headers, int[] next, boolean[] repeated) {
        Map<String, Integer> latest = new HashMap<>();
        for (int i = 0; i < next.length; i++) {
            next[i] = NONE;
            Integer before = latest.put(headers.get(i).name(), i);
            if (before != null) {
                next[before] = i;
                repeated[i] = true;
            }
        }
    }

    private static void writeAll(JsonGenerator out, List<Header> headers, int first, int[] next) {
        out.writeStartArray();
        for (int i = first; i != NONE; i = next[i]) {
            out.writeString(headers.get(i).value());
        }
        out.writeEndArray();
    }
}

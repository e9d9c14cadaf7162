package io.iocluster.message;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/**
 * Writes the {@code headers} field of both envelopes: a single value as a string, repeated headers as a list. Takes
 * linear time, because the target controls the headers of an answer. Stateless.
 */
final class HeadersJson {

    private static final int NONE = -1;

    private HeadersJson() {}

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

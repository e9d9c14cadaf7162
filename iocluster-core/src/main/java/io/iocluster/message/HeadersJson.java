package io.iocluster.message;

import java.util.List;
import tools.jackson.core.JsonGenerator;

/** Headers as both envelopes write them: one value as a string, several of one name as a list. */
final class HeadersJson {

    private HeadersJson() {}

    static void write(JsonGenerator out, List<Header> headers) {
        out.writeName("headers");
        out.writeStartObject();
        for (int i = 0; i < headers.size(); i++) {
            Header header = headers.get(i);
            if (next(headers, header.name(), 0) < i) {
                continue;
            }
            out.writeName(header.name());
            int second = next(headers, header.name(), i + 1);
            if (second < 0) {
                out.writeString(header.value());
            } else {
                writeAll(out, headers, header, second);
            }
        }
        out.writeEndObject();
    }

    private static void writeAll(JsonGenerator out, List<Header> headers, Header first, int second) {
        out.writeStartArray();
        out.writeString(first.value());
        for (int i = second; i >= 0; i = next(headers, first.name(), i + 1)) {
            out.writeString(headers.get(i).value());
        }
        out.writeEndArray();
    }

    private static int next(List<Header> headers, String name, int from) {
        for (int i = from; i < headers.size(); i++) {
            if (headers.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }
}

package io.iocluster.message;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonRecyclerPools;

/** How JSON is read and written here: strictly, as a stream, bounded in size and depth. */
final class Json {

    /** Deeper nesting is refused; the envelope itself needs three levels, the rest is for the context. */
    static final int MAX_DEPTH = 64;

    private Json() {}

    /** A factory for documents up to so many bytes; safe for use from several threads. */
    static JsonFactory factory(int maxBytes) {
        return JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxDocumentLength(maxBytes)
                        .maxNestingDepth(MAX_DEPTH)
                        .maxStringLength(maxBytes)
                        .build())
                .recyclerPool(JsonRecyclerPools.threadLocalPool())
                .build();
    }

    /**
     * Whether the bytes may be UTF-8 at all. Jackson would detect UTF-16 and UTF-32 by the zero bytes that a JSON text
     * in them begins with, and accept them; the contract does not.
     */
    static boolean mayBeUtf8(byte[] json) {
        for (int i = 0; i < Math.min(4, json.length); i++) {
            if (json[i] == 0) {
                return false;
            }
        }
        return true;
    }

    /** The value that the parser stands on, as text; the parser then stands on its end. */
    static String copyValue(JsonFactory json, JsonParser parser) {
        ByteArrayOutputStream copy = new ByteArrayOutputStream(128);
        try (JsonGenerator generator = json.createGenerator(ObjectWriteContext.empty(), copy)) {
            copyValue(parser, generator);
        }
        return copy.toString(StandardCharsets.UTF_8);
    }

    /** Numbers as they are written: there are some that fit no type, and nobody here needs their value. */
    private static void copyValue(JsonParser from, JsonGenerator to) {
        int depth = 0;
        do {
            JsonToken token = depth == 0 ? from.currentToken() : from.nextToken();
            if (token.isNumeric()) {
                to.writeNumber(from.getString());
            } else {
                to.copyCurrentEventExact(from);
            }
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        } while (depth > 0);
    }

    /** The same document on one line. */
    static String minify(JsonFactory json, String document) {
        try (JsonParser parser = json.createParser(ObjectReadContext.empty(), document)) {
            parser.nextToken();
            return copyValue(json, parser);
        }
    }
}

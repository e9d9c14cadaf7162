package io.iocluster.message;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonParser.NumberType;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonRecyclerPools;

/** JSON streaming with strict limits on size and depth. Stateless. */
public final class StrictJson {

    /** Maximum nesting depth. The envelope needs three levels; the rest is for the context. */
    static final int MAX_DEPTH = 64;

    private StrictJson() {}

    /** Returns a thread-safe factory for documents of at most {@code maxBytes}. */
    public static JsonFactory factory(int maxBytes) {
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
     * Returns false if one of the first four bytes is zero. Jackson detects UTF-16 and UTF-32 by such bytes and accepts
     * them; the contract does not.
     */
    static boolean mayBeUtf8(byte[] json) {
        for (int i = 0; i < Math.min(4, json.length); i++) {
            if (json[i] == 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the parser's current value as text and moves the parser to the end of the value. */
    public static String copyValue(JsonFactory json, JsonParser parser) {
        ByteArrayOutputStream copy = new ByteArrayOutputStream(128);
        try (JsonGenerator generator = json.createGenerator(ObjectWriteContext.empty(), copy)) {
            copyValue(parser, generator);
        }
        return copy.toString(StandardCharsets.UTF_8);
    }

    /** Copies numbers as text, because some fit no Java type. */
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

    /**
     * Returns the parser's current value as it was written, re-encoded if it is a scalar or spans several lines. Moves the parser to the
     * end of the value.
     *
     * @param document the whole document that the parser reads
     */
    static String rawValue(JsonFactory json, JsonParser parser, byte[] document) {
        if (!parser.currentToken().isStructStart()) {
            return copyValue(json, parser);
        }
        int from = (int) parser.currentTokenLocation().getByteOffset();
        parser.skipChildren();
        int to = (int) parser.currentLocation().getByteOffset();
        String written = new String(document, from, to - from, StandardCharsets.UTF_8);
        return written.indexOf('\n') < 0 && written.indexOf('\r') < 0 ? written : minify(json, written);
    }

    /** Returns the parser's current value if it is a whole number that fits a long, otherwise 0. */
    static long wholeNumber(JsonParser parser) {
        boolean fits =
                parser.currentToken() == JsonToken.VALUE_NUMBER_INT && parser.getNumberType() != NumberType.BIG_INTEGER;
        return fits ? parser.getLongValue() : 0;
    }

    /** Returns the document on one line. */
    public static String minify(JsonFactory json, String document) {
        try (JsonParser parser = json.createParser(ObjectReadContext.empty(), document)) {
            parser.nextToken();
            return copyValue(json, parser);
        }
    }
}

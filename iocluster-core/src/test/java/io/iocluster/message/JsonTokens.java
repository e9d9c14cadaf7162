package io.iocluster.message;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** The tokens of a JSON text, independent of its whitespace. */
final class JsonTokens {

    private static final JsonFactory JSON = StrictJson.factory(Integer.MAX_VALUE);

    private JsonTokens() {}

    static List<String> of(String text) {
        List<String> tokens = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                tokens.add(token + " " + parser.getString());
            }
        }
        return tokens;
    }
}

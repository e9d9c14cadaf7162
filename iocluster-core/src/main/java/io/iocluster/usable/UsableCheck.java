package io.iocluster.usable;

import io.iocluster.http.HttpResult.Response;
import io.iocluster.message.Header;
import io.iocluster.message.usable.JsonCondition;
import io.iocluster.message.usable.JsonScalar;
import io.iocluster.message.usable.Usability;
import io.iocluster.message.usable.UsableRule;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonPointer;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonRecyclerPools;

/**
 * Checks an answer by a rule. Reads a body only if the rule has a condition for it, and only up to the value of the condition or to a
 * limit. The reason is that it runs on an event loop and the target controls the body. Stateless.
 */
public final class UsableCheck {

    static final int MAX_DEPTH = 500;
    static final int MAX_NAME_CHARS = 10_000;
    static final int MAX_NUMBER_CHARS = 1_000;

    /** Longer than any string of a rule, so a longer value cannot match. */
    private static final int MAX_STRING_CHARS = 8 * 1024;

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNameLength(MAX_NAME_CHARS)
                    .maxNumberLength(MAX_NUMBER_CHARS)
                    .maxStringLength(MAX_STRING_CHARS)
                    .build())
            .recyclerPool(JsonRecyclerPools.threadLocalPool())
            .build();

    private UsableCheck() {}

    /**
     * Returns the response with the result of the check.
     *
     * @param maxBytes maximum number of bytes of the body that are read
     */
    public static Response check(Response response, UsableRule rule, int maxBytes) {
        return response.withUsability(usability(response, rule, maxBytes));
    }

    private static Usability usability(Response response, UsableRule rule, int maxBytes) {
        if (!rule.acceptsStatus(response.status())) {
            return Usability.STATUS;
        }
        if (!rule.json().isGiven()) {
            return Usability.USABLE;
        }
        byte[] body = response.body();
        int length = Math.min(body.length, maxBytes);
        if (length == 0 || isEncoded(response.headers()) || !mayBeUtf8(body, length)) {
            return Usability.NOT_JSON;
        }
        return check(body, length, response.truncated() || length < body.length, rule.json());
    }

    /** Returns whether the body is compressed. The node removes this header from a body that it has decompressed. */
    private static boolean isEncoded(List<Header> headers) {
        for (int i = 0; i < headers.size(); i++) {
            Header header = headers.get(i);
            if (header.name().equals("content-encoding") && !header.value().equalsIgnoreCase("identity")) {
                return true;
            }
        }
        return false;
    }

    /** Returns false if one of the first four bytes is zero, because the parser would then read UTF-16 or UTF-32. */
    private static boolean mayBeUtf8(byte[] body, int length) {
        for (int i = 0; i < Math.min(4, length); i++) {
            if (body[i] == 0) {
                return false;
            }
        }
        return true;
    }

    /** @param cut whether the body continues after this length */
    private static Usability check(byte[] body, int length, boolean cut, JsonCondition condition) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), body, 0, length)) {
            try {
                return check(parser, length, cut, condition);
            } catch (UnexpectedEndOfInputException end) {
                return cut ? Usability.TOO_LONG : Usability.NOT_JSON;
            } catch (JacksonException broken) {
                // A literal or a number that ends with the input is reported as invalid.
                boolean atEnd = parser.currentLocation().getByteOffset() >= length;
                return cut && atEnd ? Usability.TOO_LONG : Usability.NOT_JSON;
            }
        }
    }

    private static Usability check(JsonParser parser, int length, boolean cut, JsonCondition condition) {
        JsonToken token = find(parser, condition.pointer());
        boolean present = token != null && token != JsonToken.VALUE_NULL;
        JsonScalar value = JsonScalar.NONE;
        if (present && condition.comparesValue()) {
            value = read(parser, token);
            boolean mayHaveMoreDigits =
                    token.isNumeric() && parser.currentLocation().getByteOffset() >= length;
            if (mayHaveMoreDigits && (cut || !condition.pointer().matches())) {
                return cut ? Usability.TOO_LONG : Usability.NOT_JSON;
            }
        }
        return condition.isFulfilled(present, value) ? Usability.USABLE : Usability.NO_MATCH;
    }

    /** Returns the token of the value that the pointer selects; null if there is none. Takes the first of members with the same name. */
    private static JsonToken find(JsonParser parser, JsonPointer pointer) {
        JsonToken token = parser.nextToken();
        if (token == null) {
            throw new UnexpectedEndOfInputException(parser, null, "the body has no value");
        }
        for (JsonPointer rest = pointer; !rest.matches(); rest = rest.tail()) {
            token = switch (token) {
                case START_OBJECT -> findMember(parser, rest);
                case START_ARRAY -> findElement(parser, rest.getMatchingIndex());
                default -> null;
            };
            if (token == null) {
                return null;
            }
        }
        return token;
    }

    private static JsonToken findMember(JsonParser parser, JsonPointer pointer) {
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            JsonToken value = parser.nextToken();
            if (pointer.matchesProperty(name)) {
                return value;
            }
            parser.skipChildren();
        }
        return null;
    }

    /** @param index negative if the pointer's token is not an index */
    private static JsonToken findElement(JsonParser parser, int index) {
        if (index < 0) {
            return null;
        }
        JsonToken element = parser.nextToken();
        for (int i = 0; i < index && element != JsonToken.END_ARRAY; i++) {
            parser.skipChildren();
            element = parser.nextToken();
        }
        return element == JsonToken.END_ARRAY ? null : element;
    }

    private static JsonScalar read(JsonParser parser, JsonToken token) {
        try {
            return JsonScalar.of(parser, token);
        } catch (StreamConstraintsException longString) {
            return JsonScalar.NONE; // Longer than any value of a rule.
        }
    }
}

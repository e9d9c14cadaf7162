package io.iocluster.message;

import io.iocluster.message.Answer.CacheUse;
import io.iocluster.message.Answer.CallError;
import io.iocluster.message.Answer.Timing;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Decodes answer envelopes. Skips unknown fields, so that a client can read the answers of a newer node. Thread-safe.
 */
public final class AnswerDecoder {

    private static final byte[] NO_BODY = {};

    private final JsonFactory json = StrictJson.factory(Integer.MAX_VALUE);

    /**
     * Decodes an answer.
     *
     * @throws IllegalArgumentException if the bytes are not an answer
     */
    public Answer decode(byte[] payload) {
        if (!StrictJson.mayBeUtf8(payload)) {
            throw new IllegalArgumentException("not an answer: not UTF-8");
        }
        try (JsonParser parser = json.createParser(ObjectReadContext.empty(), payload)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("not an answer: not a JSON object");
            }
            Answer answer = new AnswerReader(parser).read();
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("not an answer: has data after the JSON object");
            }
            return answer;
        } catch (JacksonException broken) {
            throw new IllegalArgumentException("not an answer: " + broken.getOriginalMessage(), broken);
        }
    }

    /**
     * Returns the id of an answer without decoding what follows it. Nodes write the id first.
     *
     * @return null if there is no id, or the bytes are not an answer
     */
    public String readId(byte[] payload) {
        return readText(payload, "id");
    }

    /**
     * Returns the outcome of an answer without decoding what follows it. Nodes write it after the id.
     *
     * @return null if there is no known outcome, or the bytes are not an answer
     */
    public Outcome readOutcome(byte[] payload) {
        return Outcome.ofWireName(readText(payload, "outcome"));
    }

    /** Returns the first field of this name if it is a text, else null. */
    private String readText(byte[] payload, String field) {
        if (!StrictJson.mayBeUtf8(payload)) {
            return null;
        }
        try (JsonParser parser = json.createParser(ObjectReadContext.empty(), payload)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                JsonToken value = parser.nextToken();
                if (name.equals(field)) {
                    return value == JsonToken.VALUE_STRING ? parser.getString() : null;
                }
                parser.skipChildren();
            }
            return null;
        } catch (JacksonException notAnAnswer) {
            return null;
        }
    }

    /** Reads one answer once. Confined to {@link #decode}. */
    private final class AnswerReader {

        private final JsonParser parser;
        private final List<Header> headers = new ArrayList<>();
        private String id;
        private Outcome outcome;
        private int status;
        private byte[] body = NO_BODY;
        private boolean truncated;
        private String unusable;
        private CallError error;
        private int attempts;
        private String node;
        private Timing timing = Timing.NONE;
        private String context;
        private int branch = Answer.NO_BRANCH;
        private final List<Answer> results = new ArrayList<>();
        private CacheUse cache;

        AnswerReader(JsonParser parser) {
            this.parser = parser;
        }

        Answer read() {
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                parser.nextToken();
                switch (name) {
                    case "id" -> id = text(name);
                    case "outcome" -> outcome = outcome(text(name));
                    case "status" -> status = number(name);
                    case "headers" -> readHeaders();
                    case "body" -> body = bytes(text(name));
                    case "bodyBase64" -> body = base64(text(name));
                    case "truncated" -> truncated = parser.getBooleanValue();
                    case "unusable" -> unusable = text(name);
                    case "error" -> error = readError();
                    case "attempts" -> attempts = number(name);
                    case "node" -> node = text(name);
                    case "timing" -> timing = readTiming();
                    case "cache" -> cache = readCache();
                    case "branch" -> branch = number(name);
                    case "results" -> readResults();
                    case "context" -> context = StrictJson.copyValue(json, parser);
                    default -> parser.skipChildren();
                }
            }
            if (outcome == null) {
                throw new IllegalArgumentException("not an answer: outcome is missing");
            }
            return new Answer(
                    id, outcome, status, headers, body, truncated, unusable, error, attempts, node, timing, context,
                    branch, results, cache);
        }

        private void readResults() {
            expect(JsonToken.START_ARRAY, "results");
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                expect(JsonToken.START_OBJECT, "results");
                results.add(new AnswerReader(parser).read());
            }
        }

        /** Returns the current text value, or null if the field is null. */
        private String text(String name) {
            if (parser.currentToken() == JsonToken.VALUE_NULL) {
                return null;
            }
            expect(JsonToken.VALUE_STRING, name);
            return parser.getString();
        }

        private int number(String name) {
            expect(JsonToken.VALUE_NUMBER_INT, name);
            return parser.getIntValue();
        }

        private void expect(JsonToken token, String name) {
            if (parser.currentToken() != token) {
                throw new IllegalArgumentException("not an answer: " + name + " has the wrong type");
            }
        }

        private Outcome outcome(String wireName) {
            Outcome known = Outcome.ofWireName(wireName);
            if (known == null) {
                throw new IllegalArgumentException("not an answer: unknown outcome");
            }
            return known;
        }

        private byte[] bytes(String text) {
            return text == null ? NO_BODY : text.getBytes(StandardCharsets.UTF_8);
        }

        private byte[] base64(String text) {
            return text == null ? NO_BODY : Base64.getDecoder().decode(text);
        }

        private void readHeaders() {
            expect(JsonToken.START_OBJECT, "headers");
            if (!HeadersJson.read(parser, headers)) {
                throw new IllegalArgumentException("not an answer: headers has the wrong type");
            }
        }

        private CallError readError() {
            expect(JsonToken.START_OBJECT, "error");
            String code = null;
            String message = null;
            SentStatus sent = SentStatus.MAYBE;
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                parser.nextToken();
                switch (name) {
                    case "code" -> code = text(name);
                    case "message" -> message = text(name);
                    case "sent" ->
                        sent = SentStatus.NO.wireName().equals(text(name)) ? SentStatus.NO : SentStatus.MAYBE;
                    default -> parser.skipChildren();
                }
            }
            return new CallError(code, message, sent);
        }

        private CacheUse readCache() {
            expect(JsonToken.START_OBJECT, "cache");
            boolean hit = false;
            long ageMs = 0;
            boolean stale = false;
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                parser.nextToken();
                switch (name) {
                    case "hit" -> hit = parser.getBooleanValue();
                    case "ageMs" -> ageMs = milliseconds(name);
                    case "stale" -> stale = parser.getBooleanValue();
                    default -> parser.skipChildren();
                }
            }
            return new CacheUse(hit, ageMs, stale);
        }

        private Timing readTiming() {
            expect(JsonToken.START_OBJECT, "timing");
            long[] millis = new long[6];
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                parser.nextToken();
                switch (name) {
                    case "queuedMs" -> millis[0] = milliseconds(name);
                    case "totalMs" -> millis[1] = milliseconds(name);
                    case "dnsMs" -> millis[2] = milliseconds(name);
                    case "connectMs" -> millis[3] = milliseconds(name);
                    case "tlsMs" -> millis[4] = milliseconds(name);
                    case "firstByteMs" -> millis[5] = milliseconds(name);
                    default -> parser.skipChildren();
                }
            }
            return new Timing(millis[0], millis[1], millis[2], millis[3], millis[4], millis[5]);
        }

        private long milliseconds(String name) {
            expect(JsonToken.VALUE_NUMBER_INT, name);
            return parser.getLongValue();
        }
    }
}

package io.iocluster.message;

import io.iocluster.message.Answer.CallError;
import io.iocluster.message.Answer.Timing;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads answer envelopes. Fields that it does not know are passed over, so that a client goes on reading the answers of a
 * newer node. Safe for use from several threads.
 */
public final class AnswerDecoder {

    private final JsonFactory json = Json.factory(Integer.MAX_VALUE);

    /**
     * Reads an answer.
     *
     * @throws IllegalArgumentException if the bytes are none
     */
    public Answer decode(byte[] payload) {
        try (JsonParser parser = json.createParser(ObjectReadContext.empty(), payload)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("an answer is a JSON object");
            }
            return new Reading(parser).read();
        } catch (JacksonException broken) {
            throw new IllegalArgumentException("not an answer: " + broken.getOriginalMessage(), broken);
        }
    }

    /** One pass over one answer. Confined to {@link #decode}. */
    private final class Reading {

        private final JsonParser parser;
        private final List<Header> headers = new ArrayList<>();
        private String id;
        private Outcome outcome;
        private int status;
        private byte[] body = new byte[0];
        private boolean truncated;
        private CallError error;
        private int attempts;
        private String node;
        private Timing timing = Timing.NONE;
        private String context;

        Reading(JsonParser parser) {
            this.parser = parser;
        }

        Answer read() {
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                parser.nextToken();
                switch (name) {
                    case "id" -> id = parser.getString();
                    case "outcome" -> outcome = outcome(parser.getString());
                    case "status" -> status = parser.getIntValue();
                    case "headers" -> readHeaders();
                    case "body" -> body = parser.getString().getBytes(StandardCharsets.UTF_8);
                    case "bodyBase64" -> body = Base64.getDecoder().decode(parser.getString());
                    case "truncated" -> truncated = parser.getBooleanValue();
                    case "error" -> error = readError();
                    case "attempts" -> attempts = parser.getIntValue();
                    case "node" -> node = parser.getString();
                    case "timing" -> timing = readTiming();
                    case "context" -> context = Json.copy(json, parser);
                    default -> parser.skipChildren();
                }
            }
            if (outcome == null) {
                throw new IllegalArgumentException("not an answer: it has no outcome");
            }
            return new Answer(id, outcome, status, headers, body, truncated, error, attempts, node, timing, context);
        }

        private Outcome outcome(String wireName) {
            return Outcome.valueOf(wireName.toUpperCase(Locale.ROOT));
        }

        private void readHeaders() {
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                if (parser.nextToken() == JsonToken.START_ARRAY) {
                    while (parser.nextToken() != JsonToken.END_ARRAY) {
                        headers.add(new Header(name, parser.getString()));
                    }
                } else {
                    headers.add(new Header(name, parser.getString()));
                }
            }
        }

        private CallError readError() {
            String code = null;
            String message = null;
            Sent sent = Sent.MAYBE;
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                parser.nextToken();
                switch (name) {
                    case "code" -> code = parser.getString();
                    case "message" -> message = parser.getString();
                    case "sent" -> sent = parser.getString().equals(Sent.NO.wireName()) ? Sent.NO : Sent.MAYBE;
                    default -> parser.skipChildren();
                }
            }
            return new CallError(code, message, sent);
        }

        private Timing readTiming() {
            long[] millis = new long[6];
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                parser.nextToken();
                switch (name) {
                    case "queuedMs" -> millis[0] = parser.getLongValue();
                    case "totalMs" -> millis[1] = parser.getLongValue();
                    case "dnsMs" -> millis[2] = parser.getLongValue();
                    case "connectMs" -> millis[3] = parser.getLongValue();
                    case "tlsMs" -> millis[4] = parser.getLongValue();
                    case "firstByteMs" -> millis[5] = parser.getLongValue();
                    default -> parser.skipChildren();
                }
            }
            return new Timing(millis[0], millis[1], millis[2], millis[3], millis[4], millis[5]);
        }
    }
}

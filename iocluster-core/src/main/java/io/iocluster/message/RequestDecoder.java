package io.iocluster.message;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads request envelopes, strictly: an unknown field, a field given twice or one of the wrong type makes the envelope
 * invalid, so that a typo is not a silent no-op. It reads on after the first mistake, because the answer that names the
 * mistake needs the id and the context that may follow. Safe for use from several threads.
 */
public final class RequestDecoder {

    private static final Map<String, Integer> FIELDS = fields(
            "id",
            "method",
            "url",
            "headers",
            "body",
            "bodyBase64",
            "timeoutMs",
            "deadlineMs",
            "retry",
            "idempotencyKey",
            "auth",
            "reply",
            "replyTo",
            "context");

    private final JsonFactory json;
    private final int maxBytes;

    /** A decoder that refuses messages of more than so many bytes. */
    public RequestDecoder(int maxBytes) {
        this.maxBytes = maxBytes;
        this.json = Json.factory(maxBytes);
    }

    private static Map<String, Integer> fields(String... names) {
        Map<String, Integer> fields = new HashMap<>();
        for (String name : names) {
            fields.put(name, fields.size());
        }
        return fields;
    }

    /** Never throws for what the bytes hold. */
    public DecodedRequest decode(byte[] payload) {
        if (payload.length > maxBytes) {
            return new DecodedRequest.Malformed(
                    "the envelope has " + payload.length + " bytes, over the limit of " + maxBytes);
        }
        if (!Json.mayBeUtf8(payload)) {
            return new DecodedRequest.Malformed("the envelope is not UTF-8");
        }
        try (JsonParser parser = json.createParser(ObjectReadContext.empty(), payload)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return new DecodedRequest.Malformed("the envelope is not a JSON object");
            }
            DecodedRequest decoded = new Reading(parser, payload).read();
            return parser.nextToken() == null
                    ? decoded
                    : new DecodedRequest.Malformed("the envelope goes on after its JSON object");
        } catch (JacksonException broken) {
            var at = broken.getLocation();
            return new DecodedRequest.Malformed("not valid JSON, or nested too deep"
                    + (at == null ? "" : ", at line " + at.getLineNr() + ", column " + at.getColumnNr()));
        }
    }

    /** One pass over one envelope. Confined to {@link #decode}. */
    private final class Reading {

        private final JsonParser parser;
        private final byte[] payload;
        /** A bit for each of {@link #FIELDS}. */
        private int seen;

        private ErrorCode mistake;
        private String mistakeMessage;

        private String id;
        private String method = "GET";
        private String url;
        private List<Header> headers = List.of();
        private byte[] body;
        private long timeoutMs;
        private long deadlineMs;
        private int maxAttempts;
        private String idempotencyKey;
        private String auth;
        private ReplyMode reply = ReplyMode.ALWAYS;
        private String replyTo;
        private String context;

        Reading(JsonParser parser, byte[] payload) {
            this.parser = parser;
            this.payload = payload;
        }

        DecodedRequest read() {
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                JsonToken value = parser.nextToken();
                if (isFieldGivenOnce(name) && (value != JsonToken.VALUE_NULL || name.equals("context"))) {
                    readField(name, value);
                } else {
                    parser.skipChildren();
                }
            }
            if (url == null) {
                invalid(ErrorCode.INVALID_URL, "is missing", "url");
            }
            RequestEnvelope envelope = new RequestEnvelope(
                    id,
                    method,
                    url,
                    headers,
                    body,
                    timeoutMs,
                    deadlineMs,
                    maxAttempts,
                    idempotencyKey,
                    auth,
                    reply,
                    replyTo,
                    context);
            return mistake == null
                    ? new DecodedRequest.Valid(envelope)
                    : new DecodedRequest.Invalid(envelope, mistake, mistakeMessage);
        }

        private void readField(String name, JsonToken value) {
            switch (name) {
                case "id" -> id = nonEmpty(name, text(name, value, null));
                case "method" -> method = text(name, value, method);
                case "url" -> url = text(name, value, url);
                case "headers" -> readHeaders(value);
                case "body" -> readBody(text(name, value, null));
                case "bodyBase64" -> readBase64(text(name, value, null));
                case "timeoutMs" -> timeoutMs = milliseconds(name, value);
                case "deadlineMs" -> deadlineMs = milliseconds(name, value);
                case "retry" -> readRetry(value);
                case "idempotencyKey" -> idempotencyKey = nonEmpty(name, text(name, value, null));
                case "auth" -> auth = nonEmpty(name, text(name, value, null));
                case "reply" -> readReply(text(name, value, null));
                case "replyTo" -> replyTo = nonEmpty(name, text(name, value, null));
                case "context" -> context = raw(value);
                default -> throw new IllegalStateException("a field that nobody reads: " + name);
            }
        }

        private boolean isFieldGivenOnce(String name) {
            Integer field = FIELDS.get(name);
            if (field == null) {
                invalid(ErrorCode.UNKNOWN_FIELD, "is not a field of the envelope", name);
                return false;
            }
            if ((seen & 1 << field) != 0) {
                invalid(ErrorCode.INVALID_ENVELOPE, "is given twice", name);
                return false;
            }
            seen |= 1 << field;
            return true;
        }

        /** The value at hand as it was written; written anew where that would be no value or more than one line. */
        private String raw(JsonToken value) {
            if (value != JsonToken.START_OBJECT && value != JsonToken.START_ARRAY) {
                return Json.copy(json, parser);
            }
            int from = (int) parser.currentTokenLocation().getByteOffset();
            parser.skipChildren();
            int to = (int) parser.currentLocation().getByteOffset();
            String written = new String(payload, from, to - from, StandardCharsets.UTF_8);
            return written.indexOf('\n') < 0 && written.indexOf('\r') < 0 ? written : Json.minified(json, written);
        }

        private String text(String name, JsonToken value, String otherwise) {
            if (value == JsonToken.VALUE_STRING) {
                return parser.getString();
            }
            invalid(ErrorCode.INVALID_ENVELOPE, "must be a string", name);
            parser.skipChildren();
            return otherwise;
        }

        private String nonEmpty(String name, String text) {
            if (text != null && text.isEmpty()) {
                invalid(ErrorCode.INVALID_ENVELOPE, "must not be empty", name);
                return null;
            }
            return text;
        }

        private long milliseconds(String name, JsonToken value) {
            long millis = value == JsonToken.VALUE_NUMBER_INT ? wholeNumber() : 0;
            if (millis < 1) {
                invalid(ErrorCode.INVALID_TIMEOUT, "must be a whole number of milliseconds, 1 or more", name);
                parser.skipChildren();
                return 0;
            }
            return millis;
        }

        /** The number at hand if it fits, otherwise 0. */
        private long wholeNumber() {
            return switch (parser.getNumberType()) {
                case INT, LONG -> parser.getLongValue();
                default -> 0;
            };
        }

        private void readHeaders(JsonToken value) {
            if (value != JsonToken.START_OBJECT) {
                invalid(ErrorCode.INVALID_ENVELOPE, "must be an object", "headers");
                parser.skipChildren();
                return;
            }
            List<Header> read = new ArrayList<>(8);
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                if (parser.nextToken() == JsonToken.START_ARRAY) {
                    for (JsonToken item = parser.nextToken(); item != JsonToken.END_ARRAY; item = parser.nextToken()) {
                        addHeader(read, name, item);
                    }
                } else {
                    addHeader(read, name, parser.currentToken());
                }
            }
            headers = read;
        }

        private void addHeader(List<Header> read, String name, JsonToken value) {
            if (value == JsonToken.VALUE_STRING) {
                read.add(new Header(name, parser.getString()));
            } else {
                invalid(ErrorCode.INVALID_HEADER, "must have a string, or a list of strings", "headers");
                parser.skipChildren();
            }
        }

        private void readBody(String text) {
            if (text != null && onlyBody()) {
                if (Utf8.canEncode(text)) {
                    body = text.getBytes(StandardCharsets.UTF_8);
                } else {
                    invalid(ErrorCode.INVALID_BODY, "has half a surrogate pair, which is no text", "body");
                }
            }
        }

        private void readBase64(String text) {
            if (text != null && onlyBody()) {
                try {
                    body = Base64.getDecoder().decode(text);
                } catch (IllegalArgumentException broken) {
                    invalid(ErrorCode.INVALID_BODY, "is not base64", "bodyBase64");
                }
            }
        }

        private boolean onlyBody() {
            if (body != null) {
                invalid(ErrorCode.INVALID_BODY, "and bodyBase64 are both given", "body");
            }
            return body == null;
        }

        private void readRetry(JsonToken value) {
            if (value != JsonToken.START_OBJECT) {
                invalid(ErrorCode.INVALID_ENVELOPE, "must be an object", "retry");
                parser.skipChildren();
                return;
            }
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                JsonToken item = parser.nextToken();
                if (!name.equals("maxAttempts")) {
                    invalid(ErrorCode.UNKNOWN_FIELD, "is not a field of retry", name);
                    parser.skipChildren();
                } else {
                    readMaxAttempts(item == JsonToken.VALUE_NUMBER_INT ? wholeNumber() : 0);
                }
            }
        }

        private void readMaxAttempts(long attempts) {
            if (attempts < 1 || attempts > 100) {
                invalid(ErrorCode.INVALID_ENVELOPE, "must be a whole number from 1 to 100", "retry.maxAttempts");
                parser.skipChildren();
            } else {
                maxAttempts = (int) attempts;
            }
        }

        private void readReply(String text) {
            if (text != null) {
                switch (text) {
                    case "always" -> reply = ReplyMode.ALWAYS;
                    case "failures" -> reply = ReplyMode.FAILURES;
                    case "never" -> reply = ReplyMode.NEVER;
                    default -> invalid(ErrorCode.INVALID_ENVELOPE, "must be one of always, failures, never", "reply");
                }
            }
        }

        private void invalid(ErrorCode code, String problem, String field) {
            if (mistake == null) {
                mistake = code;
                mistakeMessage = (field.length() > 64 ? field.substring(0, 64) + "…" : field) + " " + problem;
            }
        }
    }
}

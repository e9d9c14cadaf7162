package io.iocluster.message;

import io.iocluster.message.usable.UsableRule;
import io.iocluster.message.usable.UsableRuleJson;
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
 * Decodes request envelopes strictly: an unknown, repeated or wrongly typed field makes the envelope invalid, so that a
 * typo does not go unnoticed. Decoding continues after the first error, because the answer that reports the error needs
 * the id and the context, which may follow. Thread-safe.
 */
public final class RequestDecoder {

    /** Maximum length of {@code id}, which every answer and some log lines repeat. */
    static final int MAX_ID_CHARS = 1_024;

    /** Maximum length of {@code auth}: that of a credential's name. */
    static final int MAX_AUTH_CHARS = 100;

    /** Maximum length of {@code replyTo}: AMQP allows 255 bytes, Kafka 249. */
    static final int MAX_REPLY_TO_CHARS = 255;

    private static final Map<String, Integer> FIELDS = fields(
            "method",
            "url",
            "headers",
            "body",
            "bodyBase64",
            "timeoutMs",
            "retry",
            "idempotencyKey",
            "auth",
            "usable",
            "id",
            "deadlineMs",
            "reply",
            "replyTo",
            "context",
            "any",
            "all");

    /**
     * Index of the first field that belongs to the envelope as a whole. Each scatter branch has its own earlier fields.
     */
    private static final int FIRST_ENVELOPE_FIELD = FIELDS.get("id");

    private final JsonFactory json;
    private final int maxBytes;
    private final int maxBranches;

    /** Creates a decoder that refuses messages of more than {@code maxBytes} or more than {@code maxBranches} calls. */
    public RequestDecoder(int maxBytes, int maxBranches) {
        this.maxBytes = maxBytes;
        this.maxBranches = maxBranches;
        this.json = StrictJson.factory(maxBytes);
    }

    private static Map<String, Integer> fields(String... names) {
        Map<String, Integer> fields = new HashMap<>();
        for (String name : names) {
            fields.put(name, fields.size());
        }
        return fields;
    }

    /** Decodes a message. Never throws, whatever the bytes are. */
    public DecodedRequest decode(byte[] payload) {
        if (payload.length > maxBytes) {
            return new DecodedRequest.Malformed(
                    "the envelope has " + payload.length + " bytes, over the limit of " + maxBytes);
        }
        if (!StrictJson.mayBeUtf8(payload) || !Utf8.isWellFormed(payload)) {
            return new DecodedRequest.Malformed("the envelope is not UTF-8" + ForeignFormat.explain(payload));
        }
        try (JsonParser parser = json.createParser(ObjectReadContext.empty(), payload)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return new DecodedRequest.Malformed(
                        "the envelope is not a JSON object" + ForeignFormat.explain(payload));
            }
            DecodedRequest decoded = new EnvelopeReader(parser, payload, "").read();
            return parser.nextToken() == null
                    ? decoded
                    : new DecodedRequest.Malformed("the envelope has data after its JSON object");
        } catch (JacksonException broken) {
            String explanation = ForeignFormat.explain(payload);
            if (!explanation.isEmpty()) {
                return new DecodedRequest.Malformed("the envelope is not valid JSON" + explanation);
            }
            var at = broken.getLocation();
            return new DecodedRequest.Malformed("not valid JSON, or nested too deep"
                    + (at == null ? "" : ", at line " + at.getLineNr() + ", column " + at.getColumnNr()));
        }
    }

    /** Reads one envelope, or one of its branches, once. Confined to {@link #decode}. */
    private final class EnvelopeReader {

        private final JsonParser parser;
        private final byte[] payload;
        /** The branch's path in the envelope, with a trailing dot; empty for the envelope itself. */
        private final String path;
        /** A bit for each of {@link #FIELDS} that was present. */
        private int seen;

        /** A bit for each of {@link #FIELDS} that was present and not null. */
        private int given;

        private ErrorCode error;
        private String errorMessage;

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
        private UsableRule usable;
        private ReplyMode reply = ReplyMode.ALWAYS;
        private String replyTo;
        private String context;
        private Scatter scatter;

        EnvelopeReader(JsonParser parser, byte[] payload, String path) {
            this.parser = parser;
            this.payload = payload;
            this.path = path;
        }

        DecodedRequest read() {
            RequestEnvelope envelope = readEnvelope();
            return error == null
                    ? new DecodedRequest.Valid(envelope)
                    : new DecodedRequest.Invalid(envelope, error, errorMessage);
        }

        private RequestEnvelope readEnvelope() {
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                JsonToken value = parser.nextToken();
                if (isFieldGivenOnce(name) && (value != JsonToken.VALUE_NULL || name.equals("context"))) {
                    given |= 1 << FIELDS.get(name);
                    readField(name, value);
                } else {
                    parser.skipChildren();
                }
            }
            if (scatter != null) {
                rejectCallFields();
            } else if (url == null) {
                invalid(ErrorCode.INVALID_URL, "is missing", "url");
            }
            return new RequestEnvelope(
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
                    usable,
                    reply,
                    replyTo,
                    context,
                    scatter);
        }

        /** Rejects fields of a single call beside branches. */
        private void rejectCallFields() {
            FIELDS.forEach((name, field) -> {
                if (field < FIRST_ENVELOPE_FIELD && (given & 1 << field) != 0) {
                    invalid(
                            ErrorCode.INVALID_ENVELOPE,
                            "must be in each branch of " + scatter.mode().wireName(),
                            name);
                }
            });
        }

        private void readField(String name, JsonToken value) {
            switch (name) {
                case "id" -> id = bounded(name, text(name, value, null), MAX_ID_CHARS);
                case "method" -> method = text(name, value, method);
                case "url" -> url = text(name, value, url);
                case "headers" -> readHeaders(value);
                case "body" -> readBody(text(name, value, null));
                case "bodyBase64" -> readBase64(text(name, value, null));
                case "timeoutMs" -> timeoutMs = milliseconds(name);
                case "deadlineMs" -> deadlineMs = milliseconds(name);
                case "retry" -> readRetry(value);
                case "idempotencyKey" -> idempotencyKey = nonEmpty(name, text(name, value, null));
                case "auth" -> auth = bounded(name, text(name, value, null), MAX_AUTH_CHARS);
                case "usable" -> readUsable(value);
                case "reply" -> readReply(text(name, value, null));
                case "replyTo" -> replyTo = bounded(name, text(name, value, null), MAX_REPLY_TO_CHARS);
                case "context" -> context = StrictJson.rawValue(json, parser, payload);
                case "any" -> readBranches(Scatter.GatherMode.ANY, value);
                case "all" -> readBranches(Scatter.GatherMode.ALL, value);
                default -> throw new IllegalStateException("no reader for field " + name);
            }
        }

        private boolean isFieldGivenOnce(String name) {
            Integer field = FIELDS.get(name);
            if (field == null || (!path.isEmpty() && field >= FIRST_ENVELOPE_FIELD)) {
                String owner = path.isEmpty() ? "the envelope" : "a branch";
                invalid(ErrorCode.UNKNOWN_FIELD, "is not a field of " + owner, name);
                return false;
            }
            if ((seen & 1 << field) != 0) {
                invalid(ErrorCode.INVALID_ENVELOPE, "is given twice", name);
                return false;
            }
            seen |= 1 << field;
            return true;
        }

        private String text(String name, JsonToken value, String fallback) {
            if (value == JsonToken.VALUE_STRING) {
                return parser.getString();
            }
            skipInvalid(ErrorCode.INVALID_ENVELOPE, "must be a string", name);
            return fallback;
        }

        private String nonEmpty(String name, String text) {
            if (text != null && text.isEmpty()) {
                invalid(ErrorCode.INVALID_ENVELOPE, "must not be empty", name);
                return null;
            }
            return text;
        }

        private String bounded(String name, String text, int maxChars) {
            if (text != null && text.length() > maxChars) {
                invalid(
                        ErrorCode.INVALID_ENVELOPE,
                        "has " + text.length() + " characters, over the limit of " + maxChars,
                        name);
                return null;
            }
            return nonEmpty(name, text);
        }

        private long milliseconds(String name) {
            long millis = StrictJson.wholeNumber(parser);
            if (millis < 1) {
                skipInvalid(ErrorCode.INVALID_TIMEOUT, "must be a whole number of milliseconds, 1 or more", name);
                return 0;
            }
            return millis;
        }

        private void readHeaders(JsonToken value) {
            if (value != JsonToken.START_OBJECT) {
                skipInvalid(ErrorCode.INVALID_ENVELOPE, "must be an object", "headers");
                return;
            }
            headers = new ArrayList<>(8);
            if (!HeadersJson.read(parser, headers)) {
                invalid(ErrorCode.INVALID_HEADER, "must have strings or lists of strings as values", "headers");
            }
        }

        private void readBody(String text) {
            if (text != null && onlyBody()) {
                if (Utf8.canEncode(text)) {
                    body = text.getBytes(StandardCharsets.UTF_8);
                } else {
                    invalid(ErrorCode.INVALID_BODY, "is not valid Unicode: it has an unpaired surrogate", "body");
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
                skipInvalid(ErrorCode.INVALID_ENVELOPE, "must be an object", "retry");
                return;
            }
            for (String name = parser.nextName(); name != null; name = parser.nextName()) {
                parser.nextToken();
                if (!name.equals("maxAttempts")) {
                    skipInvalid(ErrorCode.UNKNOWN_FIELD, "is not a field of retry", name);
                } else {
                    readMaxAttempts(StrictJson.wholeNumber(parser));
                }
            }
        }

        private void readMaxAttempts(long attempts) {
            if (attempts < 1 || attempts > 100) {
                skipInvalid(ErrorCode.INVALID_ENVELOPE, "must be a whole number from 1 to 100", "retry.maxAttempts");
            } else {
                maxAttempts = (int) attempts;
            }
        }

        private void readBranches(Scatter.GatherMode mode, JsonToken value) {
            if (value != JsonToken.START_ARRAY) {
                skipInvalid(ErrorCode.INVALID_ENVELOPE, "must be a list", mode.wireName());
                return;
            }
            List<RequestEnvelope> branches = new ArrayList<>();
            int count = 0;
            for (JsonToken item = parser.nextToken(); item != JsonToken.END_ARRAY; item = parser.nextToken()) {
                if (item == JsonToken.START_OBJECT && count < maxBranches) {
                    branches.add(readBranch(mode.wireName() + "[" + count + "]."));
                } else {
                    parser.skipChildren();
                }
                count++;
            }
            if (count != branches.size() || count == 0) {
                invalid(
                        ErrorCode.INVALID_ENVELOPE,
                        "must have 1 to " + maxBranches + " branches, each an object",
                        mode.wireName());
            } else if (scatter != null) {
                invalid(ErrorCode.INVALID_ENVELOPE, "and all are both given", "any");
            }
            scatter = new Scatter(mode, branches);
        }

        private RequestEnvelope readBranch(String at) {
            EnvelopeReader branch = new EnvelopeReader(parser, payload, at);
            RequestEnvelope read = branch.readEnvelope();
            if (error == null) {
                error = branch.error;
                errorMessage = branch.errorMessage;
            }
            return read;
        }

        private void readUsable(JsonToken value) {
            UsableRuleJson reader = new UsableRuleJson(parser);
            usable = reader.read(value);
            if (usable == null) {
                ErrorCode code = reader.isUnknownField() ? ErrorCode.UNKNOWN_FIELD : ErrorCode.INVALID_ENVELOPE;
                var problem = reader.problem().withPrefix("usable");
                invalid(code, problem.problem(), problem.key());
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

        private void skipInvalid(ErrorCode code, String problem, String field) {
            invalid(code, problem, field);
            parser.skipChildren();
        }

        private void invalid(ErrorCode code, String problem, String field) {
            if (error == null) {
                error = code;
                errorMessage = path + (field.length() > 64 ? field.substring(0, 64) + "…" : field) + " " + problem;
            }
        }
    }
}

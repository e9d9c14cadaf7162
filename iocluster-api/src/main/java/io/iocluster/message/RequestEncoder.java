package io.iocluster.message;

import io.iocluster.message.usable.UsableRuleJson;
import java.io.ByteArrayOutputStream;
import java.util.Base64;
import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Encodes request envelopes. Thread-safe. */
public final class RequestEncoder {

    private final JsonFactory json = StrictJson.factory(Integer.MAX_VALUE);

    /** Returns the envelope as JSON in UTF-8, without fields that are null, empty or zero. */
    public byte[] encode(RequestEnvelope envelope) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator out = json.createGenerator(ObjectWriteContext.empty(), bytes)) {
            out.writeStartObject();
            text(out, "id", envelope.id());
            if (envelope.scatter() == null) {
                writeCall(out, envelope);
            } else {
                writeBranches(out, envelope.scatter());
            }
            number(out, "deadlineMs", envelope.deadlineMs());
            if (envelope.reply() != ReplyMode.ALWAYS) {
                text(out, "reply", envelope.reply().name().toLowerCase(Locale.ROOT));
            }
            text(out, "replyTo", envelope.replyTo());
            if (envelope.context() != null) {
                out.writeName("context");
                out.writeRawValue(envelope.context());
            }
            out.writeEndObject();
        }
        return bytes.toByteArray();
    }

    /**
     * Checks that the text is a single JSON value and returns it on one line, for {@link RequestEnvelope#context}.
     *
     * @throws IllegalArgumentException if the text is not a single JSON value
     */
    public static String parseContext(String text) {
        JsonFactory json = StrictJson.factory(Integer.MAX_VALUE);
        try (JsonParser parser = json.createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() == null) {
                throw new IllegalArgumentException("context must be a JSON value, but is empty");
            }
            String context = StrictJson.copyValue(json, parser);
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("context must be a single JSON value, but has data after it");
            }
            return context;
        } catch (JacksonException broken) {
            throw new IllegalArgumentException("context must be a JSON value: " + broken.getOriginalMessage(), broken);
        }
    }

    private static void writeBranches(JsonGenerator out, Scatter scatter) {
        out.writeName(scatter.mode().wireName());
        out.writeStartArray();
        for (RequestEnvelope branch : scatter.branches()) {
            out.writeStartObject();
            writeCall(out, branch);
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void writeCall(JsonGenerator out, RequestEnvelope call) {
        text(out, "method", call.method());
        text(out, "url", call.url());
        if (!call.headers().isEmpty()) {
            HeadersJson.write(out, call.headers());
        }
        if (call.body() != null) {
            String body = Utf8.decode(call.body());
            text(out, "body", body);
            text(out, "bodyBase64", body == null ? Base64.getEncoder().encodeToString(call.body()) : null);
        }
        number(out, "timeoutMs", call.timeoutMs());
        if (call.maxAttempts() != 0) {
            out.writeName("retry");
            out.writeStartObject();
            number(out, "maxAttempts", call.maxAttempts());
            out.writeEndObject();
        }
        text(out, "idempotencyKey", call.idempotencyKey());
        text(out, "auth", call.auth());
        if (call.usable() != null) {
            out.writeName("usable");
            UsableRuleJson.write(out, call.usable());
        }
    }

    private static void text(JsonGenerator out, String name, String value) {
        if (value != null) {
            out.writeStringProperty(name, value);
        }
    }

    private static void number(JsonGenerator out, String name, long value) {
        if (value != 0) {
            out.writeNumberProperty(name, value);
        }
    }
}

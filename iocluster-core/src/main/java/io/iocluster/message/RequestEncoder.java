package io.iocluster.message;

import java.io.ByteArrayOutputStream;
import java.util.Base64;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes request envelopes for those who enqueue them. Safe for use from several threads. */
public final class RequestEncoder {

    private final JsonFactory json = Json.factory(Integer.MAX_VALUE);

    /** The envelope as JSON in UTF-8; what is null, empty or zero in it is left out. */
    public byte[] encode(RequestEnvelope envelope) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator out = json.createGenerator(ObjectWriteContext.empty(), bytes)) {
            out.writeStartObject();
            text(out, "id", envelope.id());
            text(out, "method", envelope.method());
            text(out, "url", envelope.url());
            if (!envelope.headers().isEmpty()) {
                HeadersJson.write(out, envelope.headers());
            }
            if (envelope.body() != null) {
                String body = Utf8.decode(envelope.body());
                text(out, "body", body);
                text(out, "bodyBase64", body == null ? Base64.getEncoder().encodeToString(envelope.body()) : null);
            }
            number(out, "timeoutMs", envelope.timeoutMs());
            number(out, "deadlineMs", envelope.deadlineMs());
            if (envelope.maxAttempts() != 0) {
                out.writeName("retry");
                out.writeStartObject();
                number(out, "maxAttempts", envelope.maxAttempts());
                out.writeEndObject();
            }
            text(out, "idempotencyKey", envelope.idempotencyKey());
            text(out, "auth", envelope.auth());
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

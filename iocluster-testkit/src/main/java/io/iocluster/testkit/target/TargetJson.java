package io.iocluster.testkit.target;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** JSON responses of the target about its requests. Stateless. */
final class TargetJson {

    private static final JsonFactory FACTORY = new JsonFactory();

    private TargetJson() {}

    static byte[] totals(RequestLog requestLog) {
        return object(json -> writeTotals(json, requestLog));
    }

    static byte[] requestLog(RequestLog requestLog) {
        return object(json -> {
            writeTotals(json, requestLog);
            json.writeObjectPropertyStart("ids");
            requestLog.counts().forEach(json::writeNumberProperty);
            json.writeEndObject();
            json.writeObjectPropertyStart("keys");
            requestLog.logsByKey().forEach((key, keyLog) -> {
                json.writeObjectPropertyStart(key);
                json.writeNumberProperty("peakOpen", keyLog.peakOpen());
                json.writeArrayPropertyStart("order");
                keyLog.order().forEach(json::writeString);
                json.writeEndArray();
                json.writeEndObject();
            });
            json.writeEndObject();
        });
    }

    /** Returns the request as JSON; the values of a repeated header are joined with commas. */
    static byte[] echo(Exchange exchange) {
        return object(json -> {
            json.writeStringProperty("method", exchange.method());
            json.writeStringProperty("path", exchange.path());
            json.writeObjectPropertyStart("headers");
            for (String name : exchange.headers().names()) {
                json.writeStringProperty(
                        name.toLowerCase(java.util.Locale.ROOT),
                        String.join(", ", exchange.headers().getAll(name)));
            }
            json.writeEndObject();
            json.writeStringProperty("body", new String(exchange.body(), StandardCharsets.UTF_8));
        });
    }

    private static void writeTotals(JsonGenerator json, RequestLog requestLog) {
        Map.of("requests", requestLog.requests(), "open", (long) requestLog.open(), "peakOpen", (long)
                        requestLog.peakOpen())
                .forEach(json::writeNumberProperty);
    }

    private static byte[] object(Consumer<JsonGenerator> content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartObject();
            content.accept(json);
            json.writeEndObject();
        }
        return out.toByteArray();
    }
}

package io.iocluster.testkit.target;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** What the target says about itself and its requests, as JSON. */
final class TargetJson {

    private static final JsonFactory FACTORY = new JsonFactory();

    private TargetJson() {}

    static byte[] totals(RequestLog ledger) {
        return object(json -> writeTotals(json, ledger));
    }

    static byte[] requestLog(RequestLog ledger) {
        return object(json -> {
            writeTotals(json, ledger);
            json.writeObjectPropertyStart("ids");
            ledger.counts().forEach(json::writeNumberProperty);
            json.writeEndObject();
            json.writeObjectPropertyStart("keys");
            ledger.logsByKey().forEach((key, lane) -> {
                json.writeObjectPropertyStart(key);
                json.writeNumberProperty("peakOpen", lane.peakOpen());
                json.writeArrayPropertyStart("order");
                lane.order().forEach(json::writeString);
                json.writeEndArray();
                json.writeEndObject();
            });
            json.writeEndObject();
        });
    }

    /** A header that came several times is given with its values joined. */
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

    private static void writeTotals(JsonGenerator json, RequestLog ledger) {
        Map.of("requests", ledger.requests(), "open", (long) ledger.open(), "peakOpen", (long) ledger.peakOpen())
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

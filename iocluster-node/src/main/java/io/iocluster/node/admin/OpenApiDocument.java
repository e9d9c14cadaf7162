package io.iocluster.node.admin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/** Serves the OpenAPI document of the admin API. A test compares it with the routes. */
final class OpenApiDocument {

    static final String RESOURCE = "openapi.json";

    private OpenApiDocument() {}

    static AdminResponse response() {
        try (InputStream document = OpenApiDocument.class.getResourceAsStream(RESOURCE)) {
            return new AdminResponse(200, "application/json", document.readAllBytes(), Map.of());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}

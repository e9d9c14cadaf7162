package io.iocluster.node.admin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/** The description of the admin API, for people and for those who make clients from it. A test holds it to the routes. */
final class OpenApiDocument {

    static final String RESOURCE = "openapi.json";

    private OpenApiDocument() {}

    static AdminResponse response() {
        try (InputStream document = OpenApiDocument.class.getResourceAsStream(RESOURCE)) {
            return new AdminResponse(200, "application/json", document.readAllBytes(), Map.of());
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}

package io.iocluster.node.admin;

import io.iocluster.status.json.OpenApi;
import java.util.Map;

/** Serves the OpenAPI document of the admin API. A test compares it with the routes. */
final class OpenApiDocument {

    static final String RESOURCE = "openapi.json";

    private OpenApiDocument() {}

    static AdminResponse response() {
        return new AdminResponse(200, "application/json", OpenApi.complete(OpenApiDocument.class, RESOURCE), Map.of());
    }
}

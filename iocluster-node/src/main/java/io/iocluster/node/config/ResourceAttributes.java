package io.iocluster.node.config;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Builds the OpenTelemetry resource attributes of a node. */
public final class ResourceAttributes {

    private ResourceAttributes() {}

    /**
     * Returns the attributes of a node.
     *
     * @param overrides attributes that add to or replace the standard ones
     */
    public static Map<String, String> of(String node, Map<String, String> overrides) {
        String version = ResourceAttributes.class.getPackage().getImplementationVersion();
        Map<String, String> attributes = new HashMap<>();
        attributes.put("service.name", "iocluster");
        attributes.put("service.instance.id", node);
        attributes.put("service.version", Objects.requireNonNullElse(version, "development"));
        attributes.putAll(overrides);
        return attributes;
    }
}

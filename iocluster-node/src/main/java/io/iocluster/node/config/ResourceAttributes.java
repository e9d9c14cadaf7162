package io.iocluster.node.config;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Who a node is in the words of OpenTelemetry's resources. */
public final class ResourceAttributes {

    private ResourceAttributes() {}

    /**
     * The attributes of a node.
     *
     * @param more added to what is known anyway, or put in its place
     */
    public static Map<String, String> of(String node, Map<String, String> more) {
        String version = ResourceAttributes.class.getPackage().getImplementationVersion();
        Map<String, String> attributes = new HashMap<>();
        attributes.put("service.name", "iocluster");
        attributes.put("service.instance.id", node);
        attributes.put("service.version", Objects.requireNonNullElse(version, "development"));
        attributes.putAll(more);
        return attributes;
    }
}

package io.iocluster.node.consul;

import io.iocluster.http.UpstreamAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the agent's answer about the instances of a service. */
final class HealthyInstances {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private HealthyInstances() {}

    /**
     * Returns host and port of each instance. An instance without its own address has that of its Consul node.
     *
     * @param invalid receives why an instance is left out; the message is for operators
     * @throws IOException if the answer is not of the documented form, or no instance has a valid address; the message is for operators
     */
    static List<UpstreamAddress> parse(String answer, Consumer<String> invalid) throws IOException {
        JsonNode instances;
        try {
            instances = JSON.readTree(answer);
        } catch (JacksonException notJson) {
            throw new IOException("the answer is not JSON", notJson);
        }
        if (!instances.isArray()) {
            throw new IOException("the answer is not a list of instances");
        }
        List<UpstreamAddress> found = new ArrayList<>();
        IOException lastInvalid = null;
        for (JsonNode each : instances) {
            try {
                found.add(address(each));
            } catch (IOException noAddress) {
                lastInvalid = noAddress;
                invalid.accept(noAddress.getMessage());
            }
        }
        if (found.isEmpty() && lastInvalid != null) {
            throw lastInvalid;
        }
        return found.stream().distinct().toList();
    }

    /** Returns the locality's zone of the instance, else of its Consul node, else the instance's metadata {@code zone}; empty if there is none. */
    private static String zone(JsonNode instance) {
        for (JsonNode each : List.of(
                instance.at("/Service/Locality/Zone"),
                instance.at("/Node/Locality/Zone"),
                instance.at("/Service/Meta/zone"))) {
            if (!each.asString("").isEmpty()) {
                return each.asString();
            }
        }
        return "";
    }

    private static UpstreamAddress address(JsonNode instance) throws IOException {
        JsonNode service = instance.path("Service");
        String own = service.path("Address").asString("");
        String host = own.isEmpty() ? instance.path("Node").path("Address").asString("") : own;
        String text = (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":"
                + service.path("Port").asInt(0);
        try {
            return UpstreamAddress.parse(text).withZone(zone(instance));
        } catch (IllegalArgumentException invalid) {
            throw new IOException(
                    "instance " + service.path("ID").asString("") + " has no valid address: " + text, invalid);
        }
    }
}

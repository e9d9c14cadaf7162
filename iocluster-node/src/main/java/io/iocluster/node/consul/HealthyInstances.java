package io.iocluster.node.consul;

import io.iocluster.http.UpstreamAddress;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The healthy instances of a service in the agent's answer. Immutable.
 *
 * @param upstreams host and port of each instance that gets calls
 * @param ignored the number of instances that get none
 * @param reason why the first of them gets none; null if there is no such instance. For operators
 */
record HealthyInstances(List<UpstreamAddress> upstreams, int ignored, String reason) {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int MAX_QUOTED_CHARACTERS = 100;

    /**
     * Reads the answer. An instance without its own address has that of its Consul node. Keeps one instance of the answer in memory, because
     * an answer can have many thousands.
     *
     * @param max the largest number of instances that get calls
     * @throws IOException if the answer is not of the documented form, or no instance has a valid address; the message is for operators
     */
    static HealthyInstances parse(String answer, int max) throws IOException {
        Set<UpstreamAddress> upstreams = new LinkedHashSet<>();
        int ignored = 0;
        String reason = null;
        try (JsonParser parser = JSON.createParser(answer)) {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                throw new IOException("the answer is not a list of instances");
            }
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                String problem = add(parser.readValueAsTree(), upstreams, max);
                if (problem != null) {
                    ignored++;
                    reason = reason == null ? problem : reason;
                }
            }
        } catch (JacksonException notJson) {
            throw new IOException("the answer is not JSON", notJson);
        }
        if (upstreams.isEmpty() && ignored > 0) {
            throw new IOException(reason);
        }
        return new HealthyInstances(List.copyOf(upstreams), ignored, reason);
    }

    /** Returns why the instance gets no calls; null if it does. */
    private static String add(JsonNode instance, Set<UpstreamAddress> upstreams, int max) {
        if (upstreams.size() >= max) {
            return "the service has more than " + max + " instances, see config.consul.max-instances";
        }
        JsonNode service = instance.path("Service");
        String own = service.path("Address").asString("");
        String host = own.isEmpty() ? instance.path("Node").path("Address").asString("") : own;
        String text = (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":"
                + service.path("Port").asInt(0);
        try {
            upstreams.add(UpstreamAddress.parse(text).withZone(zone(instance)));
            return null;
        } catch (IllegalArgumentException invalid) {
            return "instance " + quoted(service.path("ID").asString("")) + " has no valid address: " + quoted(text);
        }
    }

    /** Returns one line of limited length, because others write the text. */
    private static String quoted(String text) {
        String line = text.replaceAll("[^ -~]", "?");
        return line.length() <= MAX_QUOTED_CHARACTERS ? line : line.substring(0, MAX_QUOTED_CHARACTERS) + "…";
    }

    /** Returns the locality's zone of the instance, else of its Consul node, else the instance's metadata {@code zone}; empty if there is none. */
    private static String zone(JsonNode instance) {
        for (JsonNode each : List.of(
                instance.at("/Service/Locality/Zone"),
                instance.at("/Node/Locality/Zone"),
                instance.at("/Service/Meta/zone"))) {
            if (UpstreamAddress.isZone(each.asString(""))) {
                return each.asString();
            }
        }
        return "";
    }
}

package io.iocluster.node.consul;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes the status of the Consul integration for {@code /api/status}. */
public final class ConsulJson {

    private ConsulJson() {}

    public static ObjectNode of(ConsulStatus status) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("address", status.address());
        if (status.key() == null) {
            json.putNull("key");
        } else {
            json.putObject("key")
                    .put("name", status.key().name())
                    .put("connected", status.key().connected())
                    .put("problem", status.key().problem())
                    .put("index", status.key().index());
        }
        if (status.service() == null) {
            json.putNull("service");
        } else {
            json.putObject("service")
                    .put("id", status.service().id())
                    .put("registered", status.service().registered())
                    .put("problem", status.service().problem());
        }
        ArrayNode upstreams = json.putArray("upstreams");
        status.upstreams()
                .forEach(each -> upstreams
                        .addObject()
                        .put("service", each.service().service())
                        .put("tag", each.service().tag())
                        .put("datacenter", each.service().datacenter())
                        .put("connected", each.connected())
                        .put("problem", each.problem())
                        .put("instances", each.instances()));
        return json;
    }
}

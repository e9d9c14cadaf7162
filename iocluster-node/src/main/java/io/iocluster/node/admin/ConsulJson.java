package io.iocluster.node.admin;

import io.iocluster.node.consul.ConsulStatus;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes how a node stands with Consul for {@code /api/status}. */
final class ConsulJson {

    private ConsulJson() {}

    static JsonNode of(Optional<ConsulStatus> consul) {
        if (consul.isEmpty()) {
            return AdminResponse.JSON.nullNode();
        }
        ConsulStatus status = consul.get();
        ObjectNode json = AdminResponse.JSON.createObjectNode().put("address", status.address());
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
        return json;
    }
}

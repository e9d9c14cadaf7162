package io.iocluster.node.consul;

import io.iocluster.node.config.AdminSettings;
import io.iocluster.node.config.ConsulServiceSettings;
import io.iocluster.node.config.ConsulServiceSettings.Check;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.settings.ConnectionUri;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A node as a service of Consul's, with two checks: that its process answers, without which it is forgotten after a while, and
 * that it can read from its broker. Immutable.
 */
final class ServiceDefinition {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    /** How many reports a node may miss until it counts as gone. */
    private static final int REPORTS = 3;

    private final NodeSettings node;
    private final ConsulServiceSettings service;
    private final InetSocketAddress admin;

    /**
     * @param admin where the node's admin server listens
     */
    ServiceDefinition(NodeSettings node, InetSocketAddress admin) {
        this.node = node;
        this.service = node.config().consul().service();
        this.admin = admin;
    }

    String id() {
        return service.name() + "-" + node.node().id();
    }

    /** The check that the process answers. */
    String livenessCheckId() {
        return id() + ":alive";
    }

    /** The check that the node can do its work. */
    String readinessCheckId() {
        return id() + ":ready";
    }

    /** Whether the agent asks the node; else the node has to tell it. */
    boolean usesHttpCheck() {
        return service.check() == Check.HTTP || (service.check() == Check.AUTO && isWithinReach());
    }

    private boolean isWithinReach() {
        boolean agentIsHere = AdminSettings.isLoopback(
                ConnectionUri.parse(node.config().consul().address()).host());
        return agentIsHere || !address().isEmpty();
    }

    /** Where others reach the node; empty if it cannot be told. */
    private String address() {
        if (!service.address().isEmpty()) {
            return service.address();
        }
        InetAddress listens = admin.getAddress();
        boolean reachable = !listens.isLoopbackAddress() && !listens.isAnyLocalAddress();
        return reachable ? listens.getHostAddress() : "";
    }

    private String url(String path) {
        String known = address();
        String host = known.isEmpty() ? here() : known;
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + admin.getPort() + path;
    }

    private String here() {
        InetAddress listens = admin.getAddress();
        return (listens.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : listens).getHostAddress();
    }

    /** What the agent is given, as JSON. */
    String json() {
        ObjectNode json = JSON.createObjectNode();
        json.put("ID", id());
        json.put("Name", service.name());
        ArrayNode tags = json.putArray("Tags");
        service.tags().forEach(tags::add);
        if (!address().isEmpty()) {
            json.put("Address", address());
        }
        json.put("Port", admin.getPort());
        json.putObject("Meta")
                .put("node", node.node().id())
                .put("transport", node.transport().wireName());
        ArrayNode checks = json.putArray("Checks");
        check(checks.addObject(), livenessCheckId(), "the node's process answers", "/livez", "passing")
                .put("DeregisterCriticalServiceAfter", text(service.deregisterAfter()));
        check(checks.addObject(), readinessCheckId(), "the node can read from its broker", "/readyz", "critical");
        return json.toString();
    }

    private ObjectNode check(ObjectNode check, String id, String name, String path, String first) {
        check.put("CheckID", id).put("Name", name).put("Status", first);
        if (usesHttpCheck()) {
            return check.put("HTTP", url(path))
                    .put("Method", "GET")
                    .put("Interval", text(service.checkInterval()))
                    .put("Timeout", text(service.checkTimeout()));
        }
        return check.put("TTL", text(service.checkInterval().multipliedBy(REPORTS)));
    }

    /**
     * What the agent is told of the node where it does not ask.
     *
     * @param problem why the node is not ready; null if it is
     */
    static String ttlUpdate(String problem) {
        return JSON.createObjectNode()
                .put("Status", problem == null ? "passing" : "critical")
                .put("Output", problem == null ? "" : problem)
                .toString();
    }

    /** As Go reads durations. */
    private static String text(Duration duration) {
        return duration.toMillis() + "ms";
    }
}

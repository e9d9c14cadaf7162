package io.iocluster.node.consul;

import io.iocluster.node.config.ConsulServiceSettings;
import io.iocluster.node.config.ConsulServiceSettings.Check;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.settings.ConnectionUri;
import io.iocluster.settings.LoopbackHost;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The node as a Consul service with two checks. The liveness check passes while the process is alive; Consul deregisters
 * a service that fails it for long. The readiness check passes while the node can read from its broker. Immutable.
 */
final class ServiceDefinition {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    /** Number of check intervals without a report after which a TTL check fails. */
    private static final int TTL_INTERVALS = 3;

    private final NodeSettings node;
    private final ConsulServiceSettings service;
    private final InetSocketAddress admin;

    /** @param admin address of the node's admin server */
    ServiceDefinition(NodeSettings node, InetSocketAddress admin) {
        this.node = node;
        this.service = node.config().consul().service();
        this.admin = admin;
    }

    String id() {
        return service.name() + "-" + node.node().id();
    }

    /** Returns the id of the liveness check. */
    String livenessCheckId() {
        return id() + ":alive";
    }

    /** Returns the id of the readiness check. */
    String readinessCheckId() {
        return id() + ":ready";
    }

    /** Returns whether the agent sends requests to the node; otherwise the node reports to the agent. */
    boolean usesHttpCheck() {
        return service.check() == Check.HTTP || (service.check() == Check.AUTO && isReachableByAgent());
    }

    private boolean isReachableByAgent() {
        boolean agentIsLocal = LoopbackHost.matches(
                ConnectionUri.parse(node.config().consul().address()).host());
        return agentIsLocal || !address().isEmpty();
    }

    /** Returns the address at which other machines reach the node; empty if it is unknown. */
    private String address() {
        if (!service.address().isEmpty()) {
            return service.address();
        }
        InetAddress bound = admin.getAddress();
        boolean reachable = !bound.isLoopbackAddress() && !bound.isAnyLocalAddress();
        return reachable ? bound.getHostAddress() : "";
    }

    private String url(String path) {
        String known = address();
        String host = known.isEmpty() ? localAddress() : known;
        return node.admin().tls().scheme() + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":"
                + admin.getPort() + path;
    }

    private String localAddress() {
        InetAddress bound = admin.getAddress();
        return (bound.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : bound).getHostAddress();
    }

    /** Returns the registration as JSON. */
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
        check(checks.addObject(), livenessCheckId(), "the node's process is alive", "/livez", "passing")
                .put("DeregisterCriticalServiceAfter", text(service.deregisterAfter()));
        check(checks.addObject(), readinessCheckId(), "the node can read from its broker", "/readyz", "critical");
        return json.toString();
    }

    private ObjectNode check(ObjectNode check, String id, String name, String path, String initialStatus) {
        check.put("CheckID", id).put("Name", name).put("Status", initialStatus);
        if (usesHttpCheck()) {
            if (node.admin().tls().isEnabled()) {
                // The agent connects to an address, which is rarely in the certificate, and sends nothing secret.
                check.put("TLSSkipVerify", true);
            }
            return check.put("HTTP", url(path))
                    .put("Method", "GET")
                    .put("Interval", text(service.checkInterval()))
                    .put("Timeout", text(service.checkTimeout()));
        }
        return check.put("TTL", text(service.checkInterval().multipliedBy(TTL_INTERVALS)));
    }

    /**
     * Returns the report to the agent for a TTL check.
     *
     * @param problem why the node is not ready; null if it is
     */
    static String ttlUpdate(String problem) {
        return JSON.createObjectNode()
                .put("Status", problem == null ? "passing" : "critical")
                .put("Output", problem == null ? "" : problem)
                .toString();
    }

    /** Returns the duration in the format of Go. */
    private static String text(Duration duration) {
        return duration.toMillis() + "ms";
    }
}

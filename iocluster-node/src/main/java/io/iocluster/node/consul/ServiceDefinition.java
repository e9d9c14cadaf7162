package io.iocluster.node.consul;

import io.iocluster.node.config.ConsulServiceSettings;
import io.iocluster.node.config.ConsulServiceSettings.Check;
import io.iocluster.node.config.ConsulSettings;
import io.iocluster.settings.ConnectionUri;
import io.iocluster.settings.LoopbackHost;
import java.net.InetAddress;
import java.time.Duration;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A process as a Consul service with two checks. The liveness check passes while the process is alive; Consul deregisters
 * a service that fails it for long. The readiness check passes while a node can read from its broker, or a door can make calls.
 * Immutable.
 */
final class ServiceDefinition {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    /** Number of check intervals without a report after which a TTL check fails. */
    private static final int TTL_INTERVALS = 3;

    private final RegisteredProcess process;
    private final ConsulServiceSettings service;
    private final String agent;

    ServiceDefinition(ConsulSettings settings, RegisteredProcess process) {
        this.process = process;
        this.service = settings.service();
        this.agent = settings.address();
    }

    String id() {
        return process.service() + "-" + process.node();
    }

    /** Returns the id of the liveness check. */
    String livenessCheckId() {
        return id() + ":alive";
    }

    /** Returns the id of the readiness check. */
    String readinessCheckId() {
        return id() + ":ready";
    }

    /** Returns whether the agent sends requests to the process; otherwise the process reports to the agent. */
    boolean usesHttpCheck() {
        return service.check() == Check.HTTP || (service.check() == Check.AUTO && isReachableByAgent());
    }

    private boolean isReachableByAgent() {
        boolean agentIsLocal = LoopbackHost.matches(ConnectionUri.parse(agent).host());
        return agentIsLocal || !address().isEmpty();
    }

    /** Returns the address at which other machines reach the process; empty if it is unknown. */
    private String address() {
        if (!service.address().isEmpty()) {
            return service.address();
        }
        InetAddress bound = process.address().getAddress();
        boolean reachable = !bound.isLoopbackAddress() && !bound.isAnyLocalAddress();
        return reachable ? bound.getHostAddress() : "";
    }

    private String url(String path) {
        String known = address();
        String host = known.isEmpty() ? localAddress() : known;
        return process.scheme() + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":"
                + process.address().getPort() + path;
    }

    private String localAddress() {
        InetAddress bound = process.address().getAddress();
        return (bound.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : bound).getHostAddress();
    }

    /** Returns the registration as JSON. */
    String json() {
        ObjectNode json = JSON.createObjectNode();
        json.put("ID", id());
        json.put("Name", process.service());
        ArrayNode tags = json.putArray("Tags");
        service.tags().forEach(tags::add);
        if (!address().isEmpty()) {
            json.put("Address", address());
        }
        json.put("Port", process.address().getPort());
        json.putObject("Meta").put("node", process.node()).put("transport", process.transport());
        ArrayNode checks = json.putArray("Checks");
        check(checks.addObject(), livenessCheckId(), process.aliveCheck(), "/livez", "passing")
                .put("DeregisterCriticalServiceAfter", text(service.deregisterAfter()));
        check(checks.addObject(), readinessCheckId(), process.readyCheck(), "/readyz", "critical");
        return json.toString();
    }

    private ObjectNode check(ObjectNode check, String id, String name, String path, String initialStatus) {
        check.put("CheckID", id).put("Name", name).put("Status", initialStatus);
        if (usesHttpCheck()) {
            if (process.scheme().equals("https")) {
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
     * @param problem why the process is not ready; null if it is
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

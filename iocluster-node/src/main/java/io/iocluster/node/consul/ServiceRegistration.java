package io.iocluster.node.consul;

import io.iocluster.node.config.ConsulSettings;
import io.iocluster.node.consul.ConsulStatus.ServiceStatus;
import java.io.IOException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a node registered with its agent, again where the agent has forgotten it, and takes it out when it is closed. Owns its
 * loop.
 */
final class ServiceRegistration implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ServiceRegistration.class);

    private final ConsulAgent agent;
    private final ConsulSettings settings;
    private final ServiceDefinition service;
    private final Supplier<String> problem;
    private final AgentLoop loop;
    private volatile ServiceStatus status;

    private ServiceRegistration(
            ConsulAgent agent, ConsulSettings settings, ServiceDefinition service, Supplier<String> problem) {
        this.agent = agent;
        this.settings = settings;
        this.service = service;
        this.problem = problem;
        this.loop = new AgentLoop("iocluster-consul-service", settings, this::keep, this::lost);
        this.status = new ServiceStatus(service.id(), false, null);
    }

    /**
     * Begins.
     *
     * @param problem why the node is not ready now, or null; asked from the registration's thread
     */
    static ServiceRegistration start(
            ConsulAgent agent, ConsulSettings settings, ServiceDefinition service, Supplier<String> problem) {
        ServiceRegistration registration = new ServiceRegistration(agent, settings, service, problem);
        registration.loop.start();
        return registration;
    }

    ServiceStatus status() {
        return status;
    }

    /** Sees to it that the agent has the node. */
    private long keep() throws IOException, InterruptedException {
        boolean known = status.registered() && isKnown();
        if (!known) {
            found("/v1/agent/service/register?replace-existing-checks=true", service.json());
        }
        if (!service.usesHttpCheck()) {
            report();
        }
        if (!known) {
            LOG.info("registered in Consul at {} as {}", settings.address(), service.id());
            status = new ServiceStatus(service.id(), true, null);
        }
        return settings.service().checkInterval().toNanos();
    }

    private boolean isKnown() throws IOException, InterruptedException {
        return agent.get("/v1/agent/service/" + ConsulAgent.encode(service.id()))
                .isFound();
    }

    private void report() throws IOException, InterruptedException {
        found(update(service.livenessCheckId()), ServiceDefinition.ttlUpdate(null));
        found(update(service.readinessCheckId()), ServiceDefinition.ttlUpdate(problem.get()));
    }

    private static String update(String check) {
        return "/v1/agent/check/update/" + ConsulAgent.encode(check);
    }

    private void found(String path, String body) throws IOException, InterruptedException {
        AgentResponse reply = agent.put(path, body);
        if (!reply.isFound()) {
            throw new AgentResponseException(reply);
        }
    }

    private void lost(String reason) {
        if (status.problem() == null) {
            LOG.warn(
                    "cannot be registered in Consul at {} as {}, and tries again: {}",
                    settings.address(),
                    service.id(),
                    reason);
        }
        status = new ServiceStatus(service.id(), false, reason);
    }

    /** Takes the node out, if the agent answers within its usual time; without that Consul forgets it after a while. */
    @Override
    public void close() {
        loop.close();
        try {
            loop.awaitTermination(settings.timeout());
            agent.put("/v1/agent/service/deregister/" + ConsulAgent.encode(service.id()), "");
            status = new ServiceStatus(service.id(), false, null);
        } catch (IOException failed) {
            LOG.warn("{} stays registered in Consul, which will forget it: {}", service.id(), failed.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.iocluster.node.consul;

import io.iocluster.node.config.ConsulSettings;
import io.iocluster.node.consul.ConsulStatus.ServiceStatus;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a node registered with its agent: registers it again if the agent lost it, and deregisters it on close. Owns
 * its loop.
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
            ConsulAgent agent,
            ConsulSettings settings,
            ServiceDefinition service,
            Supplier<String> problem,
            Platform platform) {
        this.agent = agent;
        this.settings = settings;
        this.service = service;
        this.problem = problem;
        this.loop =
                new AgentLoop("iocluster-consul-service", settings, this::ensureRegistered, this::onFailure, platform);
        this.status = new ServiceStatus(service.id(), false, null);
    }

    /**
     * Starts the registration.
     *
     * @param problem supplies why the node is not ready, or null; called on the registration's thread
     */
    static ServiceRegistration start(
            ConsulAgent agent,
            ConsulSettings settings,
            ServiceDefinition service,
            Supplier<String> problem,
            Platform platform) {
        ServiceRegistration registration = new ServiceRegistration(agent, settings, service, problem, platform);
        registration.loop.start();
        return registration;
    }

    ServiceStatus status() {
        return status;
    }

    /**
     * Registers the node if the agent does not know it, and reports its state if the agent does not send requests
     * itself.
     */
    private long ensureRegistered() throws IOException, InterruptedException {
        boolean known = status.registered() && isKnown();
        if (!known) {
            put("/v1/agent/service/register?replace-existing-checks=true", service.json());
        }
        if (!service.usesHttpCheck()) {
            report();
        }
        if (!known) {
            LOG.info("Registered in Consul address={} service={}", settings.address(), service.id());
            status = new ServiceStatus(service.id(), true, null);
        }
        return settings.service().checkInterval().toNanos();
    }

    private boolean isKnown() throws IOException, InterruptedException {
        return agent.get("/v1/agent/service/" + ConsulAgent.encode(service.id()))
                .isFound();
    }

    private void report() throws IOException, InterruptedException {
        put(update(service.livenessCheckId()), ServiceDefinition.ttlUpdate(null));
        put(update(service.readinessCheckId()), ServiceDefinition.ttlUpdate(problem.get()));
    }

    private static String update(String check) {
        return "/v1/agent/check/update/" + ConsulAgent.encode(check);
    }

    private void put(String path, String body) throws IOException, InterruptedException {
        AgentResponse response = agent.put(path, body);
        if (!response.isFound()) {
            throw new AgentResponseException(response);
        }
    }

    private void onFailure(String reason) {
        if (status.problem() == null) {
            LOG.warn(
                    "Registration in Consul failed; the node retries address={} service={} error={}",
                    settings.address(),
                    service.id(),
                    reason);
        }
        status = new ServiceStatus(service.id(), false, reason);
    }

    /** Deregisters the node if the agent answers within its timeout. Otherwise Consul removes it after a while. */
    @Override
    public void close() {
        loop.close();
        try {
            loop.awaitTermination(settings.timeout());
            agent.put("/v1/agent/service/deregister/" + ConsulAgent.encode(service.id()), "");
            status = new ServiceStatus(service.id(), false, null);
        } catch (IOException failed) {
            LOG.warn(
                    "Deregistration failed; Consul removes the service after deregister-after service={} error={}",
                    service.id(),
                    failed.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.iocluster.node.consul;

import io.iocluster.http.UpstreamAddress;
import io.iocluster.node.config.ConsulSettings;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.Overlay;
import io.iocluster.thread.Platform;
import io.iocluster.upstream.ConsulUpstreamSettings;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The Consul integration of a running node or door: configuration key, service registration, and services that are upstreams. Owned by
 * the node or door. Thread-safe.
 */
public final class ConsulIntegration implements AutoCloseable {

    private final ConsulSettings settings;
    private final Platform platform;
    private final ConsulAgent agent;
    private final ServiceRegistration registration;
    private final ServiceWatches upstreams;
    private final Function<NodeSettings, Set<ConsulUpstreamSettings>> services;
    private volatile String token;
    private volatile KeyWatch watch;

    private ConsulIntegration(
            NodeSettings node,
            RegisteredProcess process,
            Supplier<String> problem,
            Function<NodeSettings, Set<ConsulUpstreamSettings>> services,
            BiConsumer<ConsulUpstreamSettings, List<UpstreamAddress>> listener,
            Platform platform) {
        this.settings = node.config().consul();
        this.services = services;
        this.platform = platform;
        this.token = settings.token();
        this.agent = new ConsulAgent(settings, () -> token);
        this.registration = settings.isServiceEnabled()
                ? ServiceRegistration.start(
                        agent, settings, new ServiceDefinition(settings, process), problem, platform)
                : null;
        this.upstreams = new ServiceWatches(agent, settings, listener, platform);
        upstreams.update(services.apply(node));
    }

    /**
     * Registers the process if its settings enable that, and watches the services that are upstreams.
     *
     * @param problem supplies why the process is not ready, or null
     * @param services returns the services that are upstreams
     * @param listener receives the instances of each service, at first and after each change
     * @return empty if no agent is configured
     */
    public static Optional<ConsulIntegration> start(
            NodeSettings node,
            RegisteredProcess process,
            Supplier<String> problem,
            Function<NodeSettings, Set<ConsulUpstreamSettings>> services,
            BiConsumer<ConsulUpstreamSettings, List<UpstreamAddress>> listener,
            Platform platform) {
        return node.config().consul().isEnabled()
                ? Optional.of(new ConsulIntegration(node, process, problem, services, listener, platform))
                : Optional.empty();
    }

    /**
     * Applies new settings after the agent has answered or failed for each of their services, so that a new destination has upstreams from
     * its first call on. Blocks at most for {@code config.consul.timeout}.
     *
     * @param application applies them to the rest of the node. If it throws, the services of {@code before} are watched again
     * @return the result of {@code application}
     */
    public <T> T apply(NodeSettings before, NodeSettings next, Supplier<T> application) {
        token = next.config().consul().token();
        upstreams.add(services.apply(next));
        awaitServices();
        NodeSettings inUse = before;
        try {
            T result = application.get();
            inUse = next;
            return result;
        } finally {
            token = inUse.config().consul().token();
            upstreams.update(services.apply(inUse));
        }
    }

    /** Waits until the agent has answered or failed for each service, at most for {@code config.consul.timeout}. */
    public void awaitServices() {
        try {
            upstreams.awaitFirstResults(settings.timeout());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Watches the key, if one is configured. Call it once.
     *
     * @param listener receives the first value and each changed one, one at a time; empty if the key does not exist
     */
    public void watchKey(Consumer<Optional<Overlay>> listener) {
        if (settings.hasKey()) {
            watch = KeyWatch.start(agent, settings, listener, platform);
        }
    }

    /** Returns the current status. */
    public ConsulStatus status() {
        KeyWatch current = watch;
        return new ConsulStatus(
                settings.address(),
                !settings.hasKey() ? null : current == null ? KeyWatch.initial(settings) : current.status(),
                registration == null ? null : registration.status(),
                upstreams.status());
    }

    /** Stops all watches and deregisters the process. */
    @Override
    public void close() {
        upstreams.close();
        KeyWatch current = watch;
        if (current != null) {
            current.close();
        }
        if (registration != null) {
            registration.close();
        }
    }
}

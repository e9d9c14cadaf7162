package io.iocluster.node.consul;

import io.iocluster.node.config.ConsulSettings;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.Overlay;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The Consul integration of a running node: configuration key and service registration. Owned by the node. Thread-safe.
 */
public final class ConsulIntegration implements AutoCloseable {

    private final ConsulSettings settings;
    private final ConsulAgent agent;
    private final ServiceRegistration registration;
    private volatile KeyWatch watch;

    private ConsulIntegration(
            NodeSettings node, Supplier<String> token, InetSocketAddress admin, Supplier<String> problem) {
        this.settings = node.config().consul();
        this.agent = new ConsulAgent(settings, token);
        this.registration = settings.isServiceEnabled()
                ? ServiceRegistration.start(agent, settings, new ServiceDefinition(node, admin), problem)
                : null;
    }

    /**
     * Registers the node if its settings enable that.
     *
     * @param token supplies the agent's token for each request
     * @param admin address of the node's admin server
     * @param problem supplies why the node is not ready, or null
     * @return empty if no agent is configured
     */
    public static Optional<ConsulIntegration> start(
            NodeSettings node, Supplier<String> token, InetSocketAddress admin, Supplier<String> problem) {
        return node.config().consul().isEnabled()
                ? Optional.of(new ConsulIntegration(node, token, admin, problem))
                : Optional.empty();
    }

    /**
     * Watches the key, if one is configured. Call it once.
     *
     * @param listener receives the first value and each changed one, one at a time; empty if the key does not exist
     */
    public void watchKey(Consumer<Optional<Overlay>> listener) {
        if (settings.hasKey()) {
            watch = KeyWatch.start(agent, settings, listener);
        }
    }

    /** Returns the current status. */
    public ConsulStatus status() {
        KeyWatch current = watch;
        return new ConsulStatus(
                settings.address(),
                !settings.hasKey() ? null : current == null ? KeyWatch.initial(settings) : current.status(),
                registration == null ? null : registration.status());
    }

    /** Stops the key watch and deregisters the node. */
    @Override
    public void close() {
        KeyWatch current = watch;
        if (current != null) {
            current.close();
        }
        if (registration != null) {
            registration.close();
        }
    }
}

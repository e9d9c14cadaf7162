package io.iocluster.node.consul;

import io.iocluster.node.config.ConsulSettings;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.Overlay;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What a running node does with its agent. Owned by the node; methods may be called from any thread. */
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
     * Registers the node if its settings say so.
     *
     * @param token what the agent is shown now; asked for each request
     * @param admin where the node's admin server listens
     * @param problem why the node is not ready now, or null
     * @return empty if there is no agent
     */
    public static Optional<ConsulIntegration> start(
            NodeSettings node, Supplier<String> token, InetSocketAddress admin, Supplier<String> problem) {
        return node.config().consul().isEnabled()
                ? Optional.of(new ConsulIntegration(node, token, admin, problem))
                : Optional.empty();
    }

    /**
     * Follows the key, if there is one. To be called once.
     *
     * @param listener told, one after the other, of the first value and of each other one; of nothing where the key is gone
     */
    public void watchKey(Consumer<Optional<Overlay>> listener) {
        if (settings.hasKey()) {
            watch = KeyWatch.start(agent, settings, listener);
        }
    }

    /** What is known now. */
    public ConsulStatus status() {
        KeyWatch following = watch;
        return new ConsulStatus(
                settings.address(),
                !settings.hasKey() ? null : following == null ? KeyWatch.initial(settings) : following.status(),
                registration == null ? null : registration.status());
    }

    /** Follows nothing any more and takes the node out of Consul. */
    @Override
    public void close() {
        KeyWatch following = watch;
        if (following != null) {
            following.close();
        }
        if (registration != null) {
            registration.close();
        }
    }
}

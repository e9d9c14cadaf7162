package io.iocluster.node;

import io.iocluster.node.broker.ConfiguredBrokerAccess;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.runtime.BrokerPipelineFactory;
import io.iocluster.node.runtime.Node;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A node in the process of the test, as {@code iocluster run} starts it. It starts in a fraction of the CPU time of a {@link NodeProcess},
 * which only tests need that kill or suspend it, measure it or read its log.
 */
public final class InProcessNode implements RunningNode {

    private final Node node;
    private boolean isClosed;

    private InProcessNode(Node node) {
        this.node = node;
    }

    /** Starts a node. It is a {@link ColdNode} unless the variables say otherwise. */
    public static InProcessNode start(Map<String, String> environment, Path config) {
        Map<String, String> variables = new HashMap<>(ColdNode.ENVIRONMENT);
        variables.putAll(environment);
        SettingsLoader<NodeSettings> loader = new SettingsLoader<>(NodeSettings.class, variables);
        try {
            Node node = Node.create(
                    loader.load(config),
                    new BrokerPipelineFactory(new ConfiguredBrokerAccess(Instant.now(), Platform.system())));
            node.watchConfiguration(config, loader);
            node.start();
            return new InProcessNode(node);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String adminUrl() {
        return "http://127.0.0.1:" + node.adminAddress().getPort();
    }

    @Override
    public boolean isAlive() {
        return !isClosed;
    }

    @Override
    public int terminate(Duration within) {
        boolean isDrained = CompletableFuture.supplyAsync(node::awaitDrained)
                .orTimeout(within.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        close();
        return isDrained ? 0 : 1;
    }

    /** Returns nothing, because the node logs to the output of the test. */
    @Override
    public String log() {
        return "";
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            node.close();
        }
    }
}

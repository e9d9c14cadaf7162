package io.iocluster.node.consul;

import io.iocluster.node.config.ConsulSettings;
import io.iocluster.node.config.binding.Overlay;
import io.iocluster.node.consul.ConsulStatus.KeyStatus;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches a key until it is closed, and reports each changed value. Survives any loss of the agent. Owns its loop. */
final class KeyWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KeyWatch.class);

    private final ConsulSettings settings;
    private final Platform platform;
    private final Consumer<Optional<Overlay>> listener;
    private final BlockingQuery query;
    private final AgentLoop loop;
    private Optional<String> reported;
    private volatile KeyStatus status;

    private KeyWatch(
            ConsulAgent agent, ConsulSettings settings, Consumer<Optional<Overlay>> listener, Platform platform) {
        this.settings = settings;
        this.platform = platform;
        this.listener = listener;
        this.query = BlockingQuery.ofKey(agent, settings);
        this.loop = new AgentLoop("iocluster-consul", settings, this::poll, this::onFailure, platform);
        this.status = initial(settings);
    }

    /** Returns the status before the first query. */
    static KeyStatus initial(ConsulSettings settings) {
        return new KeyStatus(settings.key(), false, null, 0);
    }

    /**
     * Starts a watch.
     *
     * @param listener receives the first value and each changed one on the watch's thread; empty if the key does not
     *     exist
     */
    static KeyWatch start(
            ConsulAgent agent, ConsulSettings settings, Consumer<Optional<Overlay>> listener, Platform platform) {
        KeyWatch watch = new KeyWatch(agent, settings, listener, platform);
        watch.loop.start();
        return watch;
    }

    /** Returns the key's value as an overlay of the configuration file. */
    static Overlay overlay(ConsulSettings settings, String value) {
        return new Overlay("Consul's key " + settings.key(), value, "config.consul");
    }

    KeyStatus status() {
        return status;
    }

    private long poll() throws IOException, InterruptedException {
        long startNanos = platform.nanos();
        Optional<String> value = query.query(settings.queryWait());
        onAnswer();
        if (!value.equals(reported)) {
            reported = value;
            listener.accept(value.map(yaml -> overlay(settings, yaml)));
        }
        return settings.minInterval().toNanos() - (platform.nanos() - startNanos);
    }

    private void onAnswer() {
        if (!status.connected()) {
            LOG.info("Watching the configuration in Consul address={} key={}", settings.address(), settings.key());
        }
        status = new KeyStatus(settings.key(), true, null, Math.max(query.index(), 0));
    }

    /** Resets the index, so that the first query after the outage returns changes that the watch missed. */
    private void onFailure(String problem) {
        query.resetIndex();
        if (status.connected() || status.problem() == null) {
            LOG.warn(
                    "Reading the configuration in Consul failed; the node keeps its configuration and retries"
                            + " address={} key={} error={}",
                    settings.address(),
                    settings.key(),
                    problem);
        }
        status = new KeyStatus(settings.key(), false, problem, status.index());
    }

    @Override
    public void close() {
        loop.close();
    }
}

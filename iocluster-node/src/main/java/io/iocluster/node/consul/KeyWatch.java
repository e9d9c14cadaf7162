package io.iocluster.node.consul;

import io.iocluster.node.config.ConsulSettings;
import io.iocluster.node.config.binding.Overlay;
import io.iocluster.node.consul.ConsulStatus.KeyStatus;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows a key for as long as it is open, through every loss of the agent, and says each other value that it sees. Owns its
 * loop.
 */
final class KeyWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KeyWatch.class);

    private final ConsulSettings settings;
    private final Consumer<Optional<Overlay>> listener;
    private final KeyQuery query;
    private final AgentLoop loop;
    private Optional<String> told;
    private volatile KeyStatus status;

    private KeyWatch(ConsulAgent agent, ConsulSettings settings, Consumer<Optional<Overlay>> listener) {
        this.settings = settings;
        this.listener = listener;
        this.query = new KeyQuery(agent, settings);
        this.loop = new AgentLoop("iocluster-consul", settings, this::ask, this::lost);
        this.status = initial(settings);
    }

    /** Before anything is known. */
    static KeyStatus initial(ConsulSettings settings) {
        return new KeyStatus(settings.key(), false, null, 0);
    }

    /**
     * Begins.
     *
     * @param listener told of the first value and of each other one, on the watch's thread; of nothing where the key is not there
     */
    static KeyWatch start(ConsulAgent agent, ConsulSettings settings, Consumer<Optional<Overlay>> listener) {
        KeyWatch watch = new KeyWatch(agent, settings, listener);
        watch.loop.start();
        return watch;
    }

    /** The key's value as it is laid over the file. */
    static Overlay overlay(ConsulSettings settings, String value) {
        return new Overlay("Consul's key " + settings.key(), value, "config.consul");
    }

    KeyStatus status() {
        return status;
    }

    private long ask() throws IOException, InterruptedException {
        long began = System.nanoTime();
        Optional<String> value = query.query(settings.queryWait());
        found();
        if (!value.equals(told)) {
            told = value;
            listener.accept(value.map(yaml -> overlay(settings, yaml)));
        }
        return settings.minInterval().toNanos() - (System.nanoTime() - began);
    }

    private void found() {
        if (!status.connected()) {
            LOG.info("follows the configuration in Consul at {}, key {}", settings.address(), settings.key());
        }
        status = new KeyStatus(settings.key(), true, null, Math.max(query.index(), 0));
    }

    /** What changed meanwhile is wanted as soon as the agent is back. */
    private void lost(String problem) {
        query.resetIndex();
        if (status.connected() || status.problem() == null) {
            LOG.warn(
                    "the configuration in Consul cannot be read, and what runs goes on: {}, key {}: {}",
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

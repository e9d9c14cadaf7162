package io.iocluster.node.consul;

import io.iocluster.node.config.ConsulSettings;
import io.iocluster.node.config.binding.Overlay;
import io.iocluster.settings.DurationText;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.InvalidSettingsException.InvalidSetting;
import io.iocluster.transport.outage.Backoff;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The value of the key that a node starts with; an agent that is away and a key that is not there yet are waited for. */
public final class InitialKeyValue {

    private static final Logger LOG = LoggerFactory.getLogger(InitialKeyValue.class);

    private InitialKeyValue() {}

    /**
     * Waits for it as long as the settings say.
     *
     * @throws InvalidSettingsException if the agent says that there is no such key, or that the token may not read it
     * @throws IOException if the agent says nothing that can be used
     */
    public static Overlay await(ConsulSettings settings) throws IOException, InterruptedException {
        KeyQuery query = new KeyQuery(new ConsulAgent(settings, settings::token), settings);
        Backoff backoff = new Backoff(settings.baseDelay(), settings.maxDelay());
        long until = System.nanoTime() + settings.startupTimeout().toNanos();
        IOException problem = null;
        boolean said = false;
        for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
            long rest = settings.minInterval().toNanos();
            try {
                Optional<String> value = query.query(shorter(settings.queryWait(), Duration.ofNanos(left)));
                if (value.isPresent()) {
                    return KeyWatch.overlay(settings, value.get());
                }
                problem = null;
            } catch (IOException failed) {
                problem = failed;
                query.resetIndex();
                rest = backoff.nextDelayNanos();
            }
            if (!said) {
                said = true;
                LOG.warn(
                        "waits {} at most for the configuration in Consul at {}, key {}: {}",
                        DurationText.format(settings.startupTimeout()),
                        settings.address(),
                        settings.key(),
                        problem == null ? "there is no such key" : problem.getMessage());
            }
            TimeUnit.NANOSECONDS.sleep(Math.min(rest, Math.max(0, until - System.nanoTime())));
        }
        throw failure(settings, problem);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static IOException failure(ConsulSettings settings, IOException problem) {
        if (problem == null) {
            throw new InvalidSettingsException(
                    List.of(new InvalidSetting("config.consul.key", "is not in Consul: " + settings.key())));
        }
        if (problem instanceof AgentResponseException refused && refused.isForbidden()) {
            throw new InvalidSettingsException(List.of(new InvalidSetting(
                    "config.consul.token", "may not read " + settings.key() + ": " + problem.getMessage())));
        }
        return new IOException(
                "no configuration from Consul at " + settings.address() + " within "
                        + DurationText.format(settings.startupTimeout()) + ": " + problem.getMessage(),
                problem);
    }
}

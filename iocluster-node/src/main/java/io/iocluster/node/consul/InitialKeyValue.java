package io.iocluster.node.consul;

import io.iocluster.node.config.ConsulSettings;
import io.iocluster.node.config.binding.Overlay;
import io.iocluster.settings.DurationText;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.InvalidSettingsException.InvalidSetting;
import io.iocluster.thread.Platform;
import io.iocluster.transport.outage.Backoff;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the key's value that a node starts with. Waits for an unreachable agent and for a missing key. */
public final class InitialKeyValue {

    private static final Logger LOG = LoggerFactory.getLogger(InitialKeyValue.class);

    private InitialKeyValue() {}

    /**
     * Waits up to {@code config.consul.startup-timeout} for the value.
     *
     * @throws InvalidSettingsException if the agent reports that the key does not exist or that the token may not read
     *     it
     * @throws IOException if the agent gives no usable answer
     */
    public static Overlay await(ConsulSettings settings, Platform platform) throws IOException, InterruptedException {
        BlockingQuery query = BlockingQuery.ofKey(new ConsulAgent(settings, settings::token), settings);
        Backoff backoff = new Backoff(settings.baseDelay(), settings.maxDelay(), platform.random());
        long deadlineNanos = platform.nanos() + settings.startupTimeout().toNanos();
        IOException problem = null;
        boolean logged = false;
        for (long leftNanos = deadlineNanos - platform.nanos();
                leftNanos > 0;
                leftNanos = deadlineNanos - platform.nanos()) {
            long pauseNanos = settings.minInterval().toNanos();
            try {
                Optional<String> value = query.query(shorter(settings.queryWait(), Duration.ofNanos(leftNanos)));
                if (value.isPresent()) {
                    return KeyWatch.overlay(settings, value.get());
                }
                problem = null;
            } catch (IOException failed) {
                problem = failed;
                query.resetIndex();
                pauseNanos = backoff.nextDelayNanos();
            }
            if (!logged) {
                logged = true;
                LOG.warn(
                        "Waiting for the configuration in Consul timeout={} address={} key={} reason={}",
                        DurationText.format(settings.startupTimeout()),
                        settings.address(),
                        settings.key(),
                        problem == null ? "the key does not exist" : problem.getMessage());
            }
            platform.sleep(Duration.ofNanos(Math.min(pauseNanos, Math.max(0, deadlineNanos - platform.nanos()))));
        }
        throw failure(settings, problem);
    }

    private static Duration shorter(Duration first, Duration second) {
        return first.compareTo(second) < 0 ? first : second;
    }

    private static IOException failure(ConsulSettings settings, IOException problem) {
        if (problem == null) {
            throw new InvalidSettingsException(
                    List.of(new InvalidSetting("config.consul.key", "is not in Consul: " + settings.key())));
        }
        if (problem instanceof AgentResponseException rejection && rejection.isForbidden()) {
            throw new InvalidSettingsException(List.of(new InvalidSetting(
                    "config.consul.token", "may not read " + settings.key() + ": " + problem.getMessage())));
        }
        return new IOException(
                "no configuration from Consul at " + settings.address() + " within "
                        + DurationText.format(settings.startupTimeout()) + ": " + problem.getMessage(),
                problem);
    }
}

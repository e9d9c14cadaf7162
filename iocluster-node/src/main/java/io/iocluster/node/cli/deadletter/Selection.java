package io.iocluster.node.cli.deadletter;

import io.iocluster.destination.policy.DestinationMatcher;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.egress.HostPatterns;
import io.iocluster.egress.TargetUrl;
import io.iocluster.node.cli.terminal.DurationArgument;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.thread.Platform;
import io.iocluster.transport.deadletter.DeadLetter;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import picocli.CommandLine.Option;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The options that select dead letters. A dead letter must match all that are given. Confined to one thread. */
final class Selection {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Option(
            names = "--reason",
            split = ",",
            converter = ErrorCodeArgument.class,
            paramLabel = "CODE",
            description = "Only dead letters with one of these error codes.")
    private List<String> reasons = List.of();

    @Option(
            names = "--destination",
            paramLabel = "NAME",
            description =
                    "Only requests to this destination: a host, a host with its port, or the name of an entry of destinations.")
    private String destination;

    @Option(
            names = "--older-than",
            converter = DurationArgument.class,
            paramLabel = "DURATION",
            description = "Only dead letters that are older, such as 2h.")
    private Duration olderThan;

    @Option(
            names = "--newer-than",
            converter = DurationArgument.class,
            paramLabel = "DURATION",
            description = "Only dead letters that are newer, such as 1d.")
    private Duration newerThan;

    /** Returns whether a dead letter is selected, by its age at the time of this call. */
    Predicate<DeadLetter> matcher(NodeSettings settings) {
        Instant now = Platform.system().clock().instant();
        DestinationMatcher configured = new DestinationMatcher(settings.destinations(), settings.destinationDefaults());
        Predicate<String> named = hostsOf(destination);
        return letter -> (reasons.isEmpty() || reasons.contains(letter.code()))
                && (destination == null || isDestination(letter, named, configured))
                && isInAge(letter.failedAt(), now);
    }

    /** Matches the host that the option names; no host if it is the name of an entry, or not given. */
    private static Predicate<String> hostsOf(String destination) {
        try {
            return destination == null ? host -> false : new HostPatterns(List.of(destination))::matches;
        } catch (IllegalArgumentException entryName) {
            return host -> false;
        }
    }

    private boolean isDestination(DeadLetter letter, Predicate<String> named, DestinationMatcher configured) {
        String host = host(letter);
        return host != null
                && (named.test(host)
                        || destination.equalsIgnoreCase(hostAndPort(letter))
                        || configured
                                .find(host)
                                .map(DestinationSettings::name)
                                .filter(destination::equals)
                                .isPresent());
    }

    private boolean isInAge(Instant failedAt, Instant now) {
        if (olderThan == null && newerThan == null) {
            return true;
        }
        return failedAt != null
                && (olderThan == null || failedAt.isBefore(now.minus(olderThan)))
                && (newerThan == null || failedAt.isAfter(now.minus(newerThan)));
    }

    /**
     * Returns the host of the request's URL in the form that a node calls, or in lower case if a node would reject the
     * URL; null if it has no single one.
     */
    static String host(DeadLetter letter) {
        String url = text(letter, "url");
        if (url == null) {
            return null;
        }
        try {
            return TargetUrl.parse(url).host();
        } catch (IllegalArgumentException rejected) {
            return looseHost(url);
        }
    }

    /** Returns the destination as the commands and the console show it; null if a node would reject the URL. */
    private static String hostAndPort(DeadLetter letter) {
        try {
            return TargetUrl.parse(text(letter, "url")).destination();
        } catch (IllegalArgumentException rejected) {
            return null;
        }
    }

    private static String looseHost(String url) {
        try {
            String host = URI.create(url).getHost();
            return host == null ? null : host.toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException noUrl) {
            return null;
        }
    }

    /** Returns the text of a field of the envelope; null if there is none. */
    static String text(DeadLetter letter, String field) {
        try {
            JsonNode envelope = JSON.readTree(letter.payload());
            return envelope == null || !envelope.path(field).isString()
                    ? null
                    : envelope.path(field).asString();
        } catch (JacksonException noEnvelope) {
            return null;
        }
    }
}

package io.iocluster.node.config;

import io.iocluster.credential.CredentialSettings;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.destination.policy.QueueFullPolicy;
import io.iocluster.egress.EgressSettings;
import io.iocluster.http.HttpSettings;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.pipeline.AnswerSettings;
import io.iocluster.pipeline.PipelineSettings;
import io.iocluster.pipeline.WorkerSettings;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import io.iocluster.transport.DelayedRetrySettings;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The whole configuration of a node: the one place that names its sections. */
public record NodeSettings(
        @Setting(doc = "Who this node is.") IdentitySettings node,

        @Setting(value = "kafka", doc = "The broker that requests come from and answers go to.")
        TransportKind transport,

        @Setting(doc = "How the node meets Kafka.") KafkaSettings kafka,
        @Setting(doc = "How the node meets RabbitMQ.") RabbitSettings rabbit,

        @Setting(live = true, doc = "How much the node does at once.")
        WorkerSettings workers,

        @Setting(live = true, doc = "How unconfirmed answers are published again.")
        AnswerSettings answers,

        @Setting(live = true, doc = "How calls are made.") HttpSettings http,

        @Setting(live = true, doc = "When a failed attempt is made again.")
        RetrySettings retry,

        @Setting(live = true, doc = "Where calls may go.") EgressSettings egress,

        @Setting(
                live = true,
                doc = "What calls show to their targets, by the name that an envelope's `auth` or a destination gives:"
                        + " see [credentials](credentials.md).")
        Map<String, CredentialSettings> credentials,

        @Setting(
                live = true,
                doc = "What holds for each destination, a host and its port, that `destinations` does not name.")
        DestinationPolicy destinationDefaults,

        @Setting(
                inherits = "destination-defaults",
                live = true,
                doc = "Destinations with a policy of their own. What an entry does not say holds as"
                        + " `destination-defaults` says it.")
        List<DestinationSettings> destinations,

        @Setting(live = true, doc = "How the node ends.") ShutdownSettings shutdown,

        @Setting(doc = "The node's own HTTP server, for people, probes and Prometheus.")
        AdminSettings admin,

        @Setting(doc = "What is counted.") MetricsSettings metrics,

        @Setting(doc = "Whether calls are traced: see [operations](operations/tracing.md).")
        TracingSettings tracing,

        @Setting(doc = "What is logged, on standard error.") LoggingSettings logging,

        @Setting(
                live = true,
                doc = "What the node makes of its own figures: see"
                        + " [operations](operations/tuning.md#the-advisor).")
        TuningSettings tuning,

        @Setting(
                doc = "Where the configuration comes from besides this file, and how a running node follows it: see"
                        + " [operations](operations/README.md#change-the-configuration).")
        ConfigSettings config) {

    public NodeSettings {
        destinations = List.copyOf(destinations);
        DestinationSettings.checkTogether("destinations", destinations);
        CredentialSettings.checkNames("credentials", credentials);
        checkCredentialsAreThere(credentials, destinationDefaults, destinations);
        checkDelaysAreThere(
                transport.wireName(),
                transport == TransportKind.KAFKA ? kafka.delayed() : rabbit.delayed(),
                destinationDefaults,
                destinations);
        checkAnswersFit(workers, http);
    }

    private static void checkAnswersFit(WorkerSettings workers, HttpSettings http) {
        new SettingsValidator()
                .check(
                        http.maxResponseBody().bytes()
                                <= workers.maxInFlightBytes().bytes() / 4,
                        "http.max-response-body",
                        "must be at most a quarter of workers.max-in-flight-bytes (" + workers.maxInFlightBytes()
                                + "): " + http.maxResponseBody())
                .throwIfInvalid();
    }

    /** What the node's pipeline is made from. */
    public PipelineSettings pipeline() {
        return new PipelineSettings(
                node.id(), workers, answers, http, egress, credentials, destinationDefaults, destinations);
    }

    private static void checkCredentialsAreThere(
            Map<String, CredentialSettings> credentials,
            DestinationPolicy defaults,
            List<DestinationSettings> destinations) {
        SettingsValidator mistakes = new SettingsValidator();
        checkIsThere(mistakes, credentials, "destination-defaults", defaults);
        mistakes.checkEach(
                "destinations", destinations, (path, each) -> checkIsThere(mistakes, credentials, path, each.policy()));
        mistakes.throwIfInvalid();
    }

    private static void checkDelaysAreThere(
            String transport,
            DelayedRetrySettings delayed,
            DestinationPolicy defaults,
            List<DestinationSettings> destinations) {
        SettingsValidator mistakes = new SettingsValidator();
        String problem = "cannot be delay while " + transport + ".delayed.enabled is false";
        mistakes.check(
                delayed.enabled() || defaults.whenFull() != QueueFullPolicy.DELAY,
                "destination-defaults.when-full",
                problem);
        mistakes.checkEach(
                "destinations",
                destinations,
                (path, each) -> mistakes.check(
                        delayed.enabled() || each.policy().whenFull() != QueueFullPolicy.DELAY,
                        path + ".when-full",
                        problem));
        mistakes.throwIfInvalid();
    }

    private static void checkIsThere(
            SettingsValidator mistakes,
            Map<String, CredentialSettings> credentials,
            String path,
            DestinationPolicy policy) {
        String name = policy.credential();
        mistakes.check(
                name.isEmpty() || credentials.containsKey(name),
                path + ".credential",
                "is none of credentials: " + name);
    }

    /**
     * The same settings with another size of workers.
     *
     * @throws io.iocluster.settings.InvalidSettingsException if a value is out of its range
     */
    public NodeSettings withWorkerSize(int threads, int maxInFlight) {
        try {
            return withWorkers(workers.withSize(threads, maxInFlight));
        } catch (InvalidSettingsException invalid) {
            throw new InvalidSettingsException(invalid.invalidSettings().stream()
                    .map(mistake -> mistake.withPrefix("workers"))
                    .toList());
        }
    }

    /** The same settings with other workers. */
    public NodeSettings withWorkers(WorkerSettings others) {
        return new NodeSettings(
                node,
                transport,
                kafka,
                rabbit,
                others,
                answers,
                http,
                retry,
                egress,
                credentials,
                destinationDefaults,
                destinations,
                shutdown,
                admin,
                metrics,
                tracing,
                logging,
                tuning,
                config);
    }

    /** The brokers that a node can work with. */
    public enum TransportKind {
        KAFKA,
        RABBIT;

        /** As configuration and metrics write it. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}

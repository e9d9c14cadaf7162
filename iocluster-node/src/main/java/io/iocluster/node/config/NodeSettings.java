package io.iocluster.node.config;

import io.iocluster.cache.CacheSettings;
import io.iocluster.cache.shared.SharedCacheSettings;
import io.iocluster.credential.CredentialSettings;
import io.iocluster.destination.policy.DestinationLimits;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.destination.policy.LimitScope;
import io.iocluster.destination.policy.QueueFullPolicy;
import io.iocluster.door.config.DoorSettings;
import io.iocluster.egress.EgressSettings;
import io.iocluster.http.HttpSettings;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.pipeline.PipelineSettings;
import io.iocluster.pipeline.WorkerSettings;
import io.iocluster.pipeline.outbox.AnswerSettings;
import io.iocluster.producer.AppSettings;
import io.iocluster.producer.ProducerSettings;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.TlsContexts;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.DataSize;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import io.iocluster.transport.DelayedRetrySettings;
import io.iocluster.upstream.ConsulUpstreamSettings;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The whole configuration of a node. Only this record names the sections. */
public record NodeSettings(
        @Setting(doc = "The identity of the node, and its warm-up.")
        IdentitySettings node,

        @Setting(value = "kafka", doc = "The broker to read requests from and publish answers to.")
        TransportKind transport,

        @Setting(doc = "The connection to Kafka.") KafkaSettings kafka,
        @Setting(doc = "The connection to RabbitMQ.") RabbitSettings rabbit,

        @Setting(live = true, doc = "Limits on the work that the node does at the same time.")
        WorkerSettings workers,

        @Setting(
                live = true,
                doc = "What answers contain, and how the node publishes those that the broker does not confirm.")
        AnswerSettings answers,

        @Setting(live = true, doc = "HTTP calls.") HttpSettings http,

        @Setting(live = true, doc = "Retries of failed attempts.")
        RetrySettings retry,

        @Setting(live = true, doc = "The egress policy: which targets calls may reach.")
        EgressSettings egress,

        @Setting(
                live = true,
                doc = "Credentials for targets, by name. An envelope's `auth` or a destination's `credential` selects"
                        + " one: see [credentials](credentials.md).")
        Map<String, CredentialSettings> credentials,

        @Setting(
                live = true,
                doc = "The policy of every destination (host and port) without an entry in `destinations`.")
        DestinationPolicy destinationDefaults,

        @Setting(
                inherits = "destination-defaults",
                live = true,
                doc = "Destinations with their own policy. A key that an entry does not set has the value from"
                        + " `destination-defaults`.")
        List<DestinationSettings> destinations,

        @Setting(
                live = true,
                doc = "How the node identifies the apps that send calls, and what one app may use: see"
                        + " [producers](producers.md).")
        ProducerSettings producers,

        @Setting(
                inherits = "producers.quota",
                live = true,
                doc = "Apps with their own quota. A key that an entry does not set has the value from"
                        + " `producers.quota`.")
        List<AppSettings> apps,

        @Setting(
                live = true,
                doc = "Cache that nodes share, for destinations with `cache.shared`: see"
                        + " [the shared cache](cache.md#the-shared-cache).")
        SharedCacheSettings sharedCache,

        @Setting(live = true, doc = "Shutdown of the node.") ShutdownSettings shutdown,

        @Setting(doc = "The admin server: the node's HTTP server for the console, probes and Prometheus.")
        AdminSettings admin,

        @Setting(doc = "Metrics.") MetricsSettings metrics,

        @Setting(doc = "Traces of calls: see [tracing](operations/tracing.md).")
        TracingSettings tracing,

        @Setting(doc = "The log, which the node writes to standard error.")
        LoggingSettings logging,

        @Setting(
                live = true,
                doc = "The advisor, which recommends or sets sizes from the node's own metrics: see"
                        + " [the advisor](operations/tuning.md#the-advisor).")
        TuningSettings tuning,

        @Setting(
                doc = "How the nodes that share requests see each other: see [the cluster](operations/cluster.md). The"
                        + " names of the topic and of the exchange are `kafka.cluster.topic` and"
                        + " `rabbit.cluster.exchange`.")
        ClusterSettings cluster,

        @Setting(
                doc = "The door, a server for callers that `iocluster door` runs: see [the door](door.md). A node"
                        + " ignores this section.")
        DoorSettings door,

        @Setting(
                doc = "Further sources of the configuration, and how a running node follows them: see"
                        + " [change the configuration](operations/README.md#change-the-configuration).")
        ConfigSettings config) {

    public NodeSettings {
        destinations = List.copyOf(destinations);
        apps = List.copyOf(apps);
        DestinationSettings.requireUniqueNames("destinations", destinations);
        AppSettings.requireUniqueNames("apps", apps);
        CredentialSettings.checkNames("credentials", credentials);
        checkCredentialsExist(credentials, destinationDefaults, destinations);
        checkDelayedRetriesEnabled(
                transport.wireName(),
                transport == TransportKind.KAFKA ? kafka.delayed() : rabbit.delayed(),
                destinationDefaults,
                destinations);
        checkAnswersFit(workers, http);
        checkCachesFit(http, destinationDefaults, destinations);
        checkSharedCacheConfigured(sharedCache, destinationDefaults, destinations);
        checkClusterEnabled(cluster, destinationDefaults, destinations);
        checkDefaultsHaveNoUpstreams(destinationDefaults);
        checkConsulConfigured(config.consul(), destinations);
        door.checkDestinations(destinations);
    }

    /**
     * Verifies that the client of the broker can be created: that the optional classes that its settings need can be
     * loaded, and that its certificates and login are usable. Reads files, and connects to nothing.
     *
     * @throws InvalidSettingsException if not; lists each setting and what to do
     */
    public void requireUsableBrokerClient() {
        switch (transport) {
            case KAFKA -> requireUsable("kafka", kafka::requireUsableClients);
            case RABBIT -> requireUsable("rabbit", new TlsContexts(rabbit.tls())::requireUsable);
        }
    }

    private static void requireUsable(String section, Runnable verification) {
        try {
            verification.run();
        } catch (InvalidSettingsException unusable) {
            throw new InvalidSettingsException(unusable.invalidSettings().stream()
                    .map(setting -> setting.withPrefix(section))
                    .toList());
        }
    }

    private static void checkConsulConfigured(ConsulSettings consul, List<DestinationSettings> destinations) {
        SettingsValidator validator = new SettingsValidator();
        validator.checkEach(
                "destinations",
                destinations,
                (path, each) -> validator.check(
                        consul.isEnabled()
                                || !each.policy().upstreams().consul().isEnabled(),
                        path + ".upstreams.consul.service",
                        "requires config.consul.address"));
        validator.throwIfInvalid();
    }

    private static void checkDefaultsHaveNoUpstreams(DestinationPolicy defaults) {
        new SettingsValidator()
                .check(
                        !defaults.upstreams().isEnabled()
                                && !defaults.upstreams().healthCheck().isEnabled(),
                        "destination-defaults.upstreams",
                        "must have neither upstreams nor a URL of health checks, because calls to every host would go there; set them in"
                                + " an entry of destinations")
                .throwIfInvalid();
    }

    private static void checkSharedCacheConfigured(
            SharedCacheSettings shared, DestinationPolicy defaults, List<DestinationSettings> destinations) {
        SettingsValidator validator = new SettingsValidator();
        BiConsumer<String, DestinationPolicy> check = (path, policy) -> validator.check(
                shared.isConfigured() || !policy.cache().shared(),
                path + ".cache.shared",
                "must not be true because shared-cache.redis.url is not set");
        check.accept("destination-defaults", defaults);
        validator.checkEach("destinations", destinations, (path, each) -> check.accept(path, each.policy()));
        validator.throwIfInvalid();
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

    private static void checkCachesFit(
            HttpSettings http, DestinationPolicy defaults, List<DestinationSettings> destinations) {
        long sum = Stream.concat(Stream.of(defaults), destinations.stream().map(DestinationSettings::policy))
                .map(DestinationPolicy::cache)
                .filter(CacheSettings::stores)
                .mapToLong(cache -> cache.maxBytes().bytes())
                .sum();
        new SettingsValidator()
                .check(
                        sum <= http.cache().maxBytes().bytes(),
                        "http.cache.max-bytes",
                        "must not be below the sum of cache.max-bytes of destination-defaults and destinations ("
                                + new DataSize(sum) + "): " + http.cache().maxBytes())
                .throwIfInvalid();
    }

    private static void checkClusterEnabled(
            ClusterSettings cluster, DestinationPolicy defaults, List<DestinationSettings> destinations) {
        SettingsValidator validator = new SettingsValidator();
        String problem = "must not be cluster because cluster.enabled is false";
        BiConsumer<String, DestinationLimits> check = (path, limits) -> validator
                .check(
                        cluster.enabled() || limits.maxInFlightPer() == LimitScope.NODE,
                        path + ".max-in-flight-per",
                        problem)
                .check(cluster.enabled() || limits.ratePer() == LimitScope.NODE, path + ".rate-per", problem);
        check.accept("destination-defaults", defaults.limits());
        validator.checkEach(
                "destinations",
                destinations,
                (path, each) -> check.accept(path, each.policy().limits()));
        validator.throwIfInvalid();
    }

    /** Returns whether the nodes of the cluster divide a limit of a destination. */
    public boolean dividesLimits() {
        return destinationDefaults.limits().dividesAny()
                || destinations.stream().anyMatch(each -> each.policy().limits().dividesAny());
    }

    /** Returns whether the nodes of the cluster divide a limit of calls in flight. */
    public boolean dividesMaxInFlight() {
        return destinationDefaults.limits().dividesMaxInFlight()
                || destinations.stream().anyMatch(each -> each.policy().limits().dividesMaxInFlight());
    }

    /** Returns the Consul services that are upstreams of destinations. */
    public Set<ConsulUpstreamSettings> consulServices() {
        return destinations.stream()
                .map(each -> each.policy().upstreams().consul())
                .filter(ConsulUpstreamSettings::isEnabled)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the configured addresses of the broker, joined by commas, without credentials. */
    public String brokerAddresses() {
        return switch (transport) {
            case KAFKA -> kafka.bootstrapServers();
            case RABBIT -> rabbit.addresses();
        };
    }

    /** Returns the topic or queue of the answers without a reply-to. */
    public String answersTo() {
        return switch (transport) {
            case KAFKA -> kafka.answers().topic();
            case RABBIT -> rabbit.answers().routingKey();
        };
    }

    /** Returns the topic or queue of the dead letters. */
    public String deadLettersTo() {
        return switch (transport) {
            case KAFKA -> kafka.deadLetters().topic();
            case RABBIT -> rabbit.deadLetters().queue();
        };
    }

    /** Returns the settings of the node's pipeline. */
    public PipelineSettings pipeline() {
        return new PipelineSettings(
                node.id(),
                workers,
                answers,
                http,
                egress,
                credentials,
                destinationDefaults,
                destinations,
                producers,
                apps,
                sharedCache);
    }

    private static void checkCredentialsExist(
            Map<String, CredentialSettings> credentials,
            DestinationPolicy defaults,
            List<DestinationSettings> destinations) {
        SettingsValidator validator = new SettingsValidator();
        checkCredentialExists(validator, credentials, "destination-defaults", defaults);
        validator.checkEach(
                "destinations",
                destinations,
                (path, each) -> checkCredentialExists(validator, credentials, path, each.policy()));
        validator.throwIfInvalid();
    }

    private static void checkDelayedRetriesEnabled(
            String transport,
            DelayedRetrySettings delayed,
            DestinationPolicy defaults,
            List<DestinationSettings> destinations) {
        SettingsValidator validator = new SettingsValidator();
        String problem = "must not be delay because " + transport + ".delayed.enabled is false";
        validator.check(
                delayed.enabled() || defaults.whenFull() != QueueFullPolicy.DELAY,
                "destination-defaults.when-full",
                problem);
        validator.checkEach(
                "destinations",
                destinations,
                (path, each) -> validator.check(
                        delayed.enabled() || each.policy().whenFull() != QueueFullPolicy.DELAY,
                        path + ".when-full",
                        problem));
        validator.throwIfInvalid();
    }

    private static void checkCredentialExists(
            SettingsValidator validator,
            Map<String, CredentialSettings> credentials,
            String path,
            DestinationPolicy policy) {
        String name = policy.credential();
        validator.check(
                name.isEmpty() || credentials.containsKey(name),
                path + ".credential",
                "names no entry of credentials: " + name);
    }

    /**
     * Returns a copy with other values of {@code workers.threads} and {@code workers.max-in-flight}.
     *
     * @throws io.iocluster.settings.InvalidSettingsException if a value is out of its range
     */
    public NodeSettings withWorkerSize(int threads, int maxInFlight) {
        try {
            return withWorkers(workers.withSize(threads, maxInFlight));
        } catch (InvalidSettingsException invalid) {
            throw new InvalidSettingsException(invalid.invalidSettings().stream()
                    .map(error -> error.withPrefix("workers"))
                    .toList());
        }
    }

    /** Returns a copy with other worker settings. */
    public NodeSettings withWorkers(WorkerSettings newWorkers) {
        return new NodeSettings(
                node,
                transport,
                kafka,
                rabbit,
                newWorkers,
                answers,
                http,
                retry,
                egress,
                credentials,
                destinationDefaults,
                destinations,
                producers,
                apps,
                sharedCache,
                shutdown,
                admin,
                metrics,
                tracing,
                logging,
                tuning,
                cluster,
                door,
                config);
    }

    /** The supported brokers. */
    public enum TransportKind {
        KAFKA,
        RABBIT;

        /** Returns the name that configuration and metrics use. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}

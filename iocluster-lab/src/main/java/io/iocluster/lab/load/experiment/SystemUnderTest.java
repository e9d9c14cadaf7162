package io.iocluster.lab.load.experiment;

import io.iocluster.settings.ConnectionUri;
import io.iocluster.settings.HttpUrl;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.util.List;
import java.util.Map;

/** What the calls go through: a cluster on Kafka or RabbitMQ, or nothing, for comparison with plain HTTP. Immutable. */
public record SystemUnderTest(
        @Setting(
                doc = "`kafka` or `rabbit` calls through the cluster on that broker. `http` calls the URLs directly.",
                value = "kafka")
        Kind kind,

        @Setting(doc = "The broker, if `kind` is `kafka`.") KafkaSystem kafka,
        @Setting(doc = "The broker, if `kind` is `rabbit`.") RabbitSystem rabbit,

        @Setting(
                doc = "URLs of the nodes' admin servers, such as `http://127.0.0.1:8080`. Needed for the status of the"
                        + " nodes, for the lag and for faults of nodes and destinations.",
                value = "[]")
        List<String> nodes,

        @Setting(doc = "Environment variable with the token of the admin servers.", value = "IOCLUSTER_ADMIN_TOKEN")
        String adminTokenVariable,

        @Setting(doc = "URL of a Prometheus, such as `http://127.0.0.1:9090`. Needed for PromQL.", value = "''")
        String prometheus,

        @Setting(
                doc = "Maximum calls without an answer. Further calls are not sent and count as `client-full`.",
                value = "50000")
        int maxOutstanding) {

    public SystemUnderTest {
        SettingsValidator validator =
                new SettingsValidator().checkRange("max-outstanding", maxOutstanding, 1, 1_000_000);
        validator.checkEach("nodes", nodes, (path, url) -> validator.checkParses(path, url, HttpUrl::check));
        if (!prometheus.isEmpty()) {
            validator.checkParses("prometheus", prometheus, HttpUrl::check);
        }
        validator.throwIfInvalid();
    }

    /** Returns a description without credentials, such as {@code kafka 127.0.0.1:9092}. */
    public String description() {
        return switch (kind) {
            case KAFKA -> "kafka " + kafka.bootstrapServers();
            case RABBIT ->
                "rabbit "
                        + String.join(
                                ",",
                                rabbit.uris().stream()
                                        .map(ConnectionUri::parse)
                                        .map(uri -> uri.host() + (uri.port() < 0 ? "" : ":" + uri.port()))
                                        .toList());
            case HTTP -> "http";
        };
    }

    /** What the calls go through. */
    public enum Kind {
        KAFKA,
        RABBIT,
        HTTP
    }

    /** The topics of a cluster on Kafka. */
    public record KafkaSystem(
            @Setting(doc = "Addresses of the brokers: `host:port`, separated by commas.", value = "127.0.0.1:9092")
            String bootstrapServers,

            @Setting(doc = "Topic of the requests.", value = "iocluster.requests")
            String requests,

            @Setting(
                    doc = "Topic of the answers. Nodes must allow it in `kafka.answers.reply-to`, unless it is theirs."
                            + " Empty for the default topic.",
                    value = "''")
            String answers,

            @Setting(doc = "Properties of the Kafka clients, such as `security.protocol`.", value = "{}", secret = true)
            Map<String, String> properties) {}

    /** The queues of a cluster on RabbitMQ. */
    public record RabbitSystem(
            @Setting(
                    doc = "URIs of the broker's nodes.",
                    value = "[\"amqp://guest:guest@127.0.0.1:5672/\"]",
                    secret = true)
            List<String> uris,

            @Setting(doc = "Queue of the requests.", value = "iocluster.requests")
            String requests,

            @Setting(
                    doc = "Prefix of the queue for the answers, which nodes must allow in `rabbit.answers.reply-to`.",
                    value = "iocluster.replies.")
            String replies) {

        public RabbitSystem {
            SettingsValidator validator = new SettingsValidator();
            validator.checkEach("uris", uris, (path, uri) -> validator.checkParses(path, uri, RabbitSystem::parse));
            validator
                    .check(!uris.isEmpty(), "uris", "must have at least one URI")
                    .throwIfInvalid();
        }

        private static ConnectionUri parse(String uri) {
            try {
                return ConnectionUri.parse(uri);
            } catch (IllegalArgumentException invalid) {
                throw new IllegalArgumentException("is " + invalid.getMessage(), invalid);
            }
        }
    }
}

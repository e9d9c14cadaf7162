package io.iocluster.rabbit.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.message.SentStatus;
import io.iocluster.rabbit.RabbitTestSettings;
import io.iocluster.rabbit.config.RabbitSettings.AnswerRoutingSettings;
import io.iocluster.rabbit.config.RabbitSettings.DeadLetterQueueSettings;
import io.iocluster.rabbit.config.RabbitSettings.ManagementApiSettings;
import io.iocluster.rabbit.config.RabbitSettings.QueueDeclaration;
import io.iocluster.rabbit.config.RabbitSettings.RequestQueueSettings;
import io.iocluster.rabbit.ledger.RabbitDelivery;
import io.iocluster.rabbit.ledger.TestDeliveries;
import io.iocluster.rabbit.sink.OutgoingProperties;
import io.iocluster.settings.ConnectionUri;
import io.iocluster.settings.DataSize;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.transport.DelayedRetry;
import io.iocluster.transport.DelayedRetrySettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RabbitSettingsTest {

    private static final RabbitDelivery WITHOUT_USER_ID = TestDeliveries.of(new BasicProperties(), "");

    @Test
    void hidesPasswords() {
        RabbitSettings settings = RabbitTestSettings.of("amqp://jo:hush-1@h/", "t")
                .management("http://op:hush-2@h:15672")
                .settings();

        assertThat(settings.toString()).doesNotContain("hush").contains("amqp://jo:***@h", "http://op:***@h:15672");
        assertThat(new RabbitTlsSettings("", "", "", "", false).toString()).contains("keyPassword=,");
    }

    @Test
    void hidesThePasswordOfTheKey(@TempDir Path folder) throws Exception {
        String file = java.nio.file.Files.createFile(folder.resolve("pem")).toString();

        assertThat(new RabbitTlsSettings("", file, file, "hush", true).toString())
                .doesNotContain("hush")
                .contains("keyPassword=***");
    }

    @Test
    void requiresOneUserForDelayedRetries() {
        RabbitTestSettings several =
                RabbitTestSettings.of("amqp://jo:pw@a", "x").uris("amqp://jo:pw@a", "amqp://al:pw@b");

        assertThat(RabbitTestSettings.of("amqp://jo:pw@a", "x").settings().effectiveUserId())
                .isEqualTo("jo");
        assertThat(several.userId("nodes")
                        .delay(Duration.ofSeconds(1))
                        .settings()
                        .effectiveUserId())
                .isEqualTo("nodes");
        assertThatThrownBy(() -> several.delay(Duration.ofSeconds(1)))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("uris must all have the same user if delayed retries are enabled");
    }

    @Test
    void reportsEveryErrorWithItsKey() {
        assertThatThrownBy(() -> new RabbitSettings(
                        List.of(ConnectionUri.parse("http://u:hush@h"), ConnectionUri.parse("amqp://h/a/b")),
                        "u".repeat(256),
                        RequestQueueSettings.DEFAULTS,
                        new AnswerRoutingSettings("", "iocluster.requests", List.of()),
                        new DeadLetterQueueSettings("iocluster.requests"),
                        DelayedRetrySettings.DEFAULTS,
                        RabbitSettings.ClusterExchangeSettings.DEFAULTS,
                        QueueDeclaration.DEFAULTS,
                        new RabbitTlsSettings("", "", "", "", false),
                        ManagementApiSettings.DEFAULTS,
                        Duration.ofMillis(500),
                        Duration.ZERO,
                        new DataSize(4_096),
                        new DataSize(10),
                        Duration.ZERO,
                        Duration.ofHours(1),
                        0,
                        Duration.ZERO))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("uris must all have the same virtual host")
                .hasMessageContaining("user-id must be at most 255 bytes long")
                .hasMessageContaining("uris[0] must start with amqp or amqps: http")
                .hasMessageContaining("uris[1] has a slash in the virtual host")
                .hasMessageContaining("answers.routing-key must not be the request queue")
                .hasMessageContaining("dead-letters.queue must not be the request queue")
                .hasMessageContaining("tls has no effect")
                .hasMessageContaining("heartbeat must be from 2s to 1h: 500ms")
                .hasMessageContaining("connect-timeout must be positive")
                .hasMessageContaining("frame-max must be 0B, or at least 8KiB: 4KiB")
                .hasMessageContaining("max-message-size must be from")
                .hasMessageContaining("confirm-timeout must be positive")
                .hasMessageContaining("ack-interval must be at most 1m: 1h")
                .hasMessageContaining("ack-batch-size must be from 1")
                .hasMessageContaining("lag-interval must be positive")
                .message()
                .doesNotContain("hush");
    }

    @Test
    void namesTheExchangeOfAnnouncementsByTheRequestQueue() {
        assertThat(RabbitSettings.DEFAULTS.clusterExchange()).isEqualTo("iocluster.requests.nodes");
        assertThat(RabbitTestSettings.of("amqp://h", "ä".repeat(120))
                        .settings()
                        .clusterExchange()
                        .getBytes(UTF_8))
                .hasSizeLessThanOrEqualTo(200);
        assertThat(RabbitTestSettings.of("amqp://h", "t").clusterExchange("x").clusterExchange())
                .isEqualTo("x");
        assertThatThrownBy(() -> new RabbitSettings.ClusterExchangeSettings("x".repeat(201)))
                .hasMessageContaining("exchange must be at most 200 bytes long");
        assertThatThrownBy(() -> RabbitTestSettings.of("amqp://h", "t")
                        .answers(new AnswerRoutingSettings("t.requests.nodes", "", List.of())))
                .hasMessageContaining("cluster.exchange must not be the exchange of answers: t.requests.nodes");
    }

    @Test
    void doesNotAllowTheQueuesOfAnnouncementsAsReplyTo() {
        ReplyToPolicy policy = new ReplyToPolicy(RabbitTestSettings.of("amqp://h", "t")
                .answers(new AnswerRoutingSettings("", "t.answers", List.of("*")))
                .settings());

        assertThat(policy.allowsReplyTo(null, null, "t.requests.nodes.4711")).isFalse();
        assertThat(policy.allowsReplyTo(null, null, "t.requests.nodes-4711")).isTrue();
    }

    @Test
    void requiresAtLeastOneUri() {
        assertThatThrownBy(() -> RabbitTestSettings.of("amqp://h", "t").uris())
                .hasMessageContaining("uris must name at least one node");
    }

    @Test
    void refusesInvalidNamesAndNumbers() {
        String long256 = "ä".repeat(128);
        assertThatThrownBy(() ->
                        new RequestQueueSettings(" ", -1, new DataSize(1), Duration.ofSeconds(30), new DataSize(1)))
                .hasMessageContaining("queue must not be empty")
                .hasMessageContaining("prefetch must be from 0")
                .hasMessageContaining("buffer-bytes must be from 1MiB")
                .hasMessageContaining("max-message-size must be from 1KiB");
        assertThatThrownBy(() -> new AnswerRoutingSettings(long256, long256, List.of("")))
                .hasMessageContaining("exchange must be at most 255 bytes")
                .hasMessageContaining("routing-key must be at most 255 bytes")
                .hasMessageContaining("reply-to[0] must not be empty");
        assertThatThrownBy(() -> new AnswerRoutingSettings("", "", List.of()))
                .hasMessageContaining("routing-key must not be empty");
        assertThatThrownBy(() -> new DeadLetterQueueSettings("")).hasMessageContaining("queue must not be empty");
        assertThatThrownBy(() -> new ManagementApiSettings(List.of(ConnectionUri.parse("amqp://h")), Duration.ZERO))
                .hasMessageContaining("timeout must be positive")
                .hasMessageContaining("uris[0] must start with http or https: amqp");
    }

    @Test
    void requiresCertificateWithKeyAndReadableFiles() {
        assertThatThrownBy(() -> new RabbitTlsSettings("/no/such/ca.pem", "/no/such/cert.pem", "", "pw", true))
                .hasMessageContaining("ca cannot be read: /no/such/ca.pem")
                .hasMessageContaining("certificate cannot be read")
                .hasMessageContaining("key must be set")
                .hasMessageContaining("key-password must not be set without key");
    }

    @ParameterizedTest
    @CsvSource({
        "amqp://h,                  5672, /,   guest, guest",
        "amqp://h/,                 5672, /,   guest, guest",
        "amqps://h/v,               5671, v,   guest, guest",
        "amqp://jo:pw@h:1/%2F,      1,    /,   jo,    pw",
        "amqp://jo@h/a%2Fb,         5672, a/b, jo,    ''",
    })
    void appliesAmqpDefaultsToUris(String text, int port, String virtualHost, String user, String password) {
        ConnectionUri uri = ConnectionUri.parse(text);

        assertThat(AmqpUri.port(uri)).isEqualTo(port);
        assertThat(AmqpUri.virtualHost(uri)).isEqualTo(virtualHost);
        assertThat(AmqpUri.user(uri)).isEqualTo(user);
        assertThat(AmqpUri.password(uri)).isEqualTo(password);
    }

    @Test
    void allowsReplyToByUserIdAndHeadersOfTheRequest() {
        ReplyToPolicy policy = new ReplyToPolicy(RabbitTestSettings.of("amqp://h", "iocluster")
                .answers(new AnswerRoutingSettings("", "answers", List.of("{user-id}.out", "{header:tenant}.*")))
                .settings());
        BasicProperties properties = new BasicProperties.Builder()
                .userId("team-a")
                .headers(Map.of("tenant", "blue"))
                .build();
        RabbitDelivery request = TestDeliveries.of(properties, "");

        assertThat(allows(policy, request, "team-a.out")).isTrue();
        assertThat(allows(policy, request, "team-b.out")).isFalse();
        assertThat(allows(policy, request, "blue.x")).isTrue();
        assertThat(allows(policy, request, "red.x")).isFalse();
        assertThat(allows(policy, WITHOUT_USER_ID, ".out")).isFalse();
        assertThatThrownBy(() -> new AnswerRoutingSettings("", "a", List.of("{key}.out")))
                .hasMessageContaining("reply-to[0] has an unknown placeholder {key}");
    }

    @Test
    void aDelayedRetryKeepsTheUserIdOfItsSender() {
        BasicProperties sent = new BasicProperties.Builder().userId("team-a").build();
        DelayedRetry state = new DelayedRetry("requests/m-1", 1, SentStatus.NO, null, Instant.EPOCH, Instant.EPOCH);

        BasicProperties once = OutgoingProperties.delayedRetry(TestDeliveries.of(sent, ""), state, "nodes");
        BasicProperties twice = OutgoingProperties.delayedRetry(TestDeliveries.delayedRetry(once, ""), state, "nodes");

        assertThat(TestDeliveries.delayedRetry(twice, "").userId()).isEqualTo("team-a");
        assertThat(TestDeliveries.of(once, "").userId()).isEqualTo("nodes");
    }

    @Test
    void allowsOnlyTheConfiguredReplyToQueues() {
        ReplyToPolicy policy = new ReplyToPolicy(RabbitTestSettings.of("amqp://h", "iocluster")
                .answers(new AnswerRoutingSettings(
                        "", "answers", List.of("team-a.*", "exact", "*requests", "iocluster.d*")))
                .settings());

        assertThat(List.of("answers", "team-a.x", "exact", "other.requests"))
                .allMatch(queue -> allows(policy, WITHOUT_USER_ID, queue));
        assertThat(List.of(
                        "other",
                        "team-aXx",
                        "exactly",
                        "",
                        "iocluster.requests",
                        "iocluster.dead",
                        "team-a." + "x".repeat(250)))
                .noneMatch(queue -> allows(policy, WITHOUT_USER_ID, queue));
    }

    @Test
    void doesNotAllowTheRoutingKeyOfAnExchangeAsAQueue() {
        ReplyToPolicy policy = new ReplyToPolicy(RabbitTestSettings.of("amqp://h", "t")
                .answers(new AnswerRoutingSettings("topic", "answers", List.of()))
                .settings());

        assertThat(allows(policy, WITHOUT_USER_ID, "answers")).isFalse();
    }

    private static boolean allows(ReplyToPolicy policy, RabbitDelivery request, String queue) {
        return policy.allowsReplyTo(request, request.userId(), queue);
    }
}

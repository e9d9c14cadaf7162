package io.iocluster.testkit.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Operator actions as a client sees them, with the broker of {@link RabbitBroker#launch}. */
class RabbitBrokerFaultsIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private static RabbitBroker broker;

    @BeforeAll
    static void launch() {
        broker = RabbitBroker.launch(RabbitOptions.DEFAULT.withPlugin(RabbitOptions.MANAGEMENT));
    }

    @AfterAll
    static void close() {
        broker.close();
    }

    @Test
    void cutConnectionsClosesClientConnections() throws Exception {
        Connection client = connect();
        CountDownLatch cut = new CountDownLatch(1);
        client.addShutdownListener(cause -> cut.countDown());

        broker.cutConnections();

        assertThat(cut.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(client.getCloseReason()).hasMessageContaining("cut by the testkit");
    }

    @Test
    void blocksPublishersDuringAMemoryAlarm() throws Exception {
        broker.declareQueue("alarmed", Map.of());
        try (Connection client = connect();
                Channel channel = client.createChannel()) {
            CountDownLatch blocked = new CountDownLatch(1);
            CountDownLatch unblocked = new CountDownLatch(1);
            client.addBlockedListener(reason -> blocked.countDown(), unblocked::countDown);

            broker.raiseMemoryAlarm();
            channel.basicPublish("", "alarmed", MessageProperties.PERSISTENT_BASIC, new byte[1]);
            assertThat(blocked.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(broker.readyMessages("alarmed")).isZero();

            broker.clearMemoryAlarm();
            assertThat(unblocked.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            await().atMost(TIMEOUT).until(() -> broker.readyMessages("alarmed") == 1);
        }
    }

    @Test
    void cancelsTheConsumersOfADeletedQueue() throws Exception {
        broker.declareQueue("deleted", Map.of());
        try (Connection client = connect();
                Channel channel = client.createChannel()) {
            CountDownLatch cancelled = new CountDownLatch(1);
            channel.basicConsume("deleted", (tag, message) -> {}, tag -> cancelled.countDown());

            broker.deleteQueue("deleted");

            assertThat(cancelled.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void servesTheManagementApiIfThePluginIsEnabled() throws Exception {
        String guest = Base64.getEncoder().encodeToString("guest:guest".getBytes(StandardCharsets.US_ASCII));
        HttpRequest overview = HttpRequest.newBuilder(URI.create(broker.managementUri() + "/api/overview"))
                .header("Authorization", "Basic " + guest)
                .build();

        HttpResponse<String> answer = HttpClient.newHttpClient().send(overview, HttpResponse.BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("\"rabbitmq_version\"");
    }

    @Test
    void reportsTheOutputOfAFailedRabbitmqctl() {
        assertThatThrownBy(() -> broker.rabbitmqctl("delete_queue", "nowhere"))
                .hasMessageContaining("delete_queue nowhere failed")
                .hasMessageContaining("not found");
    }

    @Test
    void evaluatesErlang() {
        broker.declareQueue("counted", Map.of());
        broker.publish("counted", List.of(new byte[1], new byte[1]));

        await().atMost(TIMEOUT).until(() -> broker.queueNumber("counted", "messages_ready") == 2);
        assertThat(broker.queueNumber("unknown", "messages_ready")).isEqualTo(-1);
        assertThat(broker.rabbitmqctl("eval", "1 + 1.").strip()).isEqualTo(broker.eval("1 + 1"));
        assertThatThrownBy(() -> broker.eval("erlang:error(broken)")).hasMessageContaining("broken");
    }

    private static Connection connect() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(broker.uri());
        factory.setAutomaticRecoveryEnabled(false);
        return factory.newConnection("victim");
    }
}

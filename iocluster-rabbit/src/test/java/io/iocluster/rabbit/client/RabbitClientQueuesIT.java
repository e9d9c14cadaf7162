package io.iocluster.rabbit.client;

import static io.iocluster.rabbit.client.RabbitHarness.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.config.RabbitSettings.AnswerRoutingSettings;
import io.iocluster.rabbit.config.RabbitSettings.QueueType;
import io.iocluster.rabbit.connection.RabbitQueueAdmin;
import io.iocluster.rabbit.connection.RabbitQueueAdmin.QueueReport;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.rabbit.RabbitBroker;
import io.iocluster.thread.Platform;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The queue operations of the client and the command line. */
class RabbitClientQueuesIT {

    private static RabbitBroker broker;

    @BeforeAll
    static void startBroker() {
        broker = SharedBrokers.emptyRabbit();
    }

    @Test
    void publishesRequestsToTheRequestQueue() {
        try (RabbitHarness harness = new RabbitHarness(broker).start();
                RabbitRequestPublisher requests =
                        new RabbitRequestPublisher(harness.settings, "sender", Platform.system())) {
            long before = System.currentTimeMillis();

            PublishResult sent = RabbitHarness.get(requests.send(bytes("{}"), "c-1", Map.of("tenant", bytes("blüe"))));

            assertThat(sent).isEqualTo(PublishResult.CONFIRMED);
            Delivery request = harness.awaitDeliveries(1).get(0);
            assertThat(request.correlationId()).isEqualTo("c-1");
            assertThat(request.header("tenant")).isEqualTo("blüe");
            assertThat(request.timestampMillis()).isBetween(before, System.currentTimeMillis());
        }
    }

    @Test
    void reportsAMissingRequestQueue() {
        RabbitSettings settings = RabbitHarness.fresh(broker).settings();
        try (RabbitRequestPublisher requests = new RabbitRequestPublisher(settings, "sender", Platform.system())) {
            assertThat(RabbitHarness.get(requests.send(bytes("{}"), null, Map.of())))
                    .isInstanceOf(PublishResult.UnknownTopicOrQueue.class);
        }
    }

    @Test
    void acknowledgesWantedAnswersAndReturnsTheOthersToTheQueue() throws Exception {
        RabbitSettings settings = new RabbitHarness(broker).settings;
        String queue = settings.answers().routingKey();
        broker.publish(queue, List.of(bytes("mine 1"), bytes("other"), bytes("mine 2")));

        try (RabbitAnswerConsumer answers = new RabbitAnswerConsumer(settings, "reader", Platform.system())) {
            assertThat(pollUntil(
                            answers, 2, answer -> RabbitHarness.text(answer).startsWith("mine")))
                    .containsExactly("mine 1", "mine 2");
            broker.publish(queue, List.of(bytes("mine 3")));
            assertThat(pollUntil(answers, 1, answer -> true)).containsExactly("mine 3");
        }

        await().until(() -> broker.readyMessages(queue) == 1);
        assertThat(broker.consume(queue))
                .extracting(answer -> RabbitHarness.text(answer.getBody()))
                .containsExactly("other");
    }

    @Test
    void consumesAnswersAfterAReconnect() throws Exception {
        RabbitSettings settings = new RabbitHarness(broker).settings;
        try (RabbitAnswerConsumer answers = new RabbitAnswerConsumer(settings, "reader", Platform.system())) {
            broker.cutConnections();
            broker.publish(settings.answers().routingKey(), List.of(bytes("later")));

            assertThat(pollUntil(answers, 1, answer -> true)).containsExactly("later");
        }
    }

    @Test
    void receivesCopiesOfTheAnswersOfAnExchange() throws Exception {
        RabbitSettings settings = RabbitHarness.fresh(broker)
                .answers(new AnswerRoutingSettings("copies", "key", List.of()))
                .settings();
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(broker.uri());
        try (Connection connection = factory.newConnection("test");
                Channel channel = connection.createChannel()) {
            channel.exchangeDeclare("copies", "direct", true);
            channel.queueDeclare("originals", true, false, false, Map.of());
            channel.queueBind("originals", "copies", "key");
            try (RabbitAnswerConsumer answers = new RabbitAnswerConsumer(settings, "reader", Platform.system())) {
                channel.basicPublish("copies", "key", new BasicProperties(), bytes("answer"));

                assertThat(pollUntil(answers, 1, answer -> true)).containsExactly("answer");
            }
            await().until(() -> broker.readyMessages("originals") == 1);
        }
    }

    @Test
    void failsWhenTheAnswerQueueDoesNotExist() {
        RabbitSettings settings = RabbitHarness.fresh(broker).settings();

        assertThatThrownBy(() -> new RabbitAnswerConsumer(settings, "reader", Platform.system()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no queue '" + settings.answers().routingKey());
    }

    @Test
    void reportsEachQueueAndExchange() throws Exception {
        RabbitSettings existing = new RabbitHarness(broker).settings;
        RabbitSettings declared = RabbitHarness.fresh(broker).settings();
        RabbitSettings missing = RabbitHarness.fresh(broker)
                .declare(false, QueueType.QUORUM)
                .answers(new AnswerRoutingSettings("no-exchange", "key", List.of()))
                .settings();

        assertThat(new RabbitQueueAdmin(existing, "check", Platform.system())
                        .check()
                        .reports())
                .hasSize(3)
                .allMatch(report -> report.exists() && report.problem() == null);
        assertThat(new RabbitQueueAdmin(declared, "check", Platform.system())
                        .check()
                        .reports())
                .hasSize(3)
                .allMatch(report -> !report.exists() && report.problem() == null);
        assertThat(new RabbitQueueAdmin(missing, "check", Platform.system())
                        .check()
                        .reports())
                .hasSize(3)
                .allMatch(QueueReport::isMissing)
                .extracting(QueueReport::title)
                .contains("exchange no-exchange");
    }

    private static List<String> pollUntil(RabbitAnswerConsumer answers, int count, Predicate<byte[]> wanted) {
        List<String> all = new ArrayList<>();
        await().atMost(RabbitHarness.TIMEOUT).until(() -> {
            answers.poll(Duration.ofMillis(200), answer -> wanted.test(answer) && all.add(RabbitHarness.text(answer)));
            return all.size() >= count;
        });
        return all;
    }
}

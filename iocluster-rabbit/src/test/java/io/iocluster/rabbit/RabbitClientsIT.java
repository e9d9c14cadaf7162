package io.iocluster.rabbit;

import static io.iocluster.rabbit.RabbitStage.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.iocluster.rabbit.RabbitQueues.Report;
import io.iocluster.rabbit.RabbitSettings.Answers;
import io.iocluster.rabbit.RabbitSettings.QueueType;
import io.iocluster.testkit.broker.RabbitBroker;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the commands do besides running a node. */
class RabbitClientsIT {

    private static RabbitBroker broker;

    @BeforeAll
    static void startBroker() {
        broker = RabbitBroker.launch();
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @Test
    void putsRequestsOnTheQueueThatIsRead() {
        try (RabbitStage stage = new RabbitStage(broker).start();
                RabbitRequests requests = new RabbitRequests(stage.settings, "sender")) {
            long before = System.currentTimeMillis();

            PublishResult sent = RabbitStage.get(requests.send(bytes("{}"), "c-1", Map.of("tenant", bytes("blüe"))));

            assertThat(sent).isEqualTo(PublishResult.CONFIRMED);
            Delivery request = stage.taken(1).get(0);
            assertThat(request.correlationId()).isEqualTo("c-1");
            assertThat(request.header("tenant")).isEqualTo("blüe");
            assertThat(request.timestampMillis()).isBetween(before, System.currentTimeMillis());
        }
    }

    @Test
    void saysThatARequestFoundNoQueue() {
        RabbitSettings settings = RabbitStage.fresh(broker).settings();
        try (RabbitRequests requests = new RabbitRequests(settings, "sender")) {
            assertThat(RabbitStage.get(requests.send(bytes("{}"), null, Map.of())))
                    .isInstanceOf(PublishResult.UnknownPlace.class);
        }
    }

    @Test
    void takesWantedAnswersOffTheQueueAndLeavesTheOthers() throws Exception {
        RabbitSettings settings = new RabbitStage(broker).settings;
        String queue = settings.answers().routingKey();
        broker.publish(queue, List.of(bytes("mine 1"), bytes("other"), bytes("mine 2")));

        try (RabbitAnswers answers = new RabbitAnswers(settings, "reader")) {
            assertThat(follow(answers, 2, answer -> RabbitStage.text(answer).startsWith("mine")))
                    .containsExactly("mine 1", "mine 2");
            broker.publish(queue, List.of(bytes("mine 3")));
            assertThat(follow(answers, 1, answer -> true)).containsExactly("mine 3");
        }

        await().until(() -> broker.depth(queue) == 1);
        assertThat(broker.take(queue))
                .extracting(answer -> RabbitStage.text(answer.getBody()))
                .containsExactly("other");
    }

    @Test
    void goesOnFollowingAfterTheConnectionWasCut() throws Exception {
        RabbitSettings settings = new RabbitStage(broker).settings;
        try (RabbitAnswers answers = new RabbitAnswers(settings, "reader")) {
            broker.cutConnections();
            broker.publish(settings.answers().routingKey(), List.of(bytes("later")));

            assertThat(follow(answers, 1, answer -> true)).containsExactly("later");
        }
    }

    @Test
    void getsCopiesWhereAnswersGoToAnExchange() throws Exception {
        RabbitSettings settings = RabbitStage.fresh(broker)
                .answers(new Answers("copies", "key", List.of()))
                .settings();
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(broker.uri());
        try (Connection connection = factory.newConnection("test");
                Channel channel = connection.createChannel()) {
            channel.exchangeDeclare("copies", "direct", true);
            channel.queueDeclare("originals", true, false, false, Map.of());
            channel.queueBind("originals", "copies", "key");
            try (RabbitAnswers answers = new RabbitAnswers(settings, "reader")) {
                channel.basicPublish("copies", "key", new BasicProperties(), bytes("answer"));

                assertThat(follow(answers, 1, answer -> true)).containsExactly("answer");
            }
            await().until(() -> broker.depth("originals") == 1);
        }
    }

    @Test
    void saysThatThereAreNoAnswersToFollow() {
        RabbitSettings settings = RabbitStage.fresh(broker).settings();

        assertThatThrownBy(() -> new RabbitAnswers(settings, "reader"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no queue '" + settings.answers().routingKey());
    }

    @Test
    void reportsEachQueueAndExchange() throws Exception {
        RabbitSettings there = new RabbitStage(broker).settings;
        RabbitSettings made = RabbitStage.fresh(broker).settings();
        RabbitSettings missing = RabbitStage.fresh(broker)
                .declare(false, QueueType.QUORUM)
                .answers(new Answers("no-exchange", "key", List.of()))
                .settings();

        assertThat(new RabbitQueues(there, "check").check().places())
                .hasSize(3)
                .allMatch(report -> report.exists() && report.problem() == null);
        assertThat(new RabbitQueues(made, "check").check().places())
                .hasSize(3)
                .allMatch(report -> !report.exists() && report.problem() == null);
        assertThat(new RabbitQueues(missing, "check").check().places())
                .hasSize(3)
                .allMatch(Report::missing)
                .extracting(Report::title)
                .contains("exchange no-exchange");
    }

    private static List<String> follow(RabbitAnswers answers, int count, Predicate<byte[]> wanted) {
        List<String> all = new ArrayList<>();
        await().atMost(RabbitStage.SOON).until(() -> {
            answers.poll(Duration.ofMillis(200), answer -> wanted.test(answer) && all.add(RabbitStage.text(answer)));
            return all.size() >= count;
        });
        return all;
    }
}

package io.iocluster.node.fault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.iocluster.node.RabbitNodeFixture;
import io.iocluster.node.RunningNode;
import io.iocluster.rabbit.client.RabbitRequestPublisher;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.rabbit.RabbitBroker;
import io.iocluster.thread.Platform;
import java.util.Map;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests that thousands of reply queues that do not exist delay no answer to one that exists. */
class InventedReplyQueuesIT {

    private static RabbitBroker broker;
    private static RabbitNodeFixture fixture;
    private static RabbitRequestPublisher publisher;
    private static RunningNode node;

    private final ReplyToFlood flood = new ReplyToFlood("iocluster.replies.", InventedReplyQueuesIT::send);

    @BeforeAll
    static void startFixture() {
        broker = SharedBrokers.emptyRabbit();
        fixture = new RabbitNodeFixture(broker);
        node = fixture.startInProcess("node-1").awaitReady();
        publisher = new RabbitRequestPublisher(fixture.settings(), "sender", Platform.system());
    }

    @AfterAll
    static void clear() {
        publisher.close();
        fixture.close();
    }

    @Test
    void answersToAnExistingQueueArriveBesideThousandsOfInventedQueues() throws Exception {
        broker.declareQueue(flood.goodReplyTo(), Map.of());
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(broker.uri());
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            channel.basicConsume(
                    flood.goodReplyTo(),
                    true,
                    (tag, answer) ->
                            flood.arrived(answer.getProperties().getCorrelationId(), System.currentTimeMillis()),
                    tag -> {});
            flood.warmUp();
            awaitArrived();

            flood.run();
            awaitArrived();

            flood.assertGoodCallsUnaffected();
        }
    }

    private void awaitArrived() {
        try {
            await().atMost(ReplyToFlood.ALL_ANSWERED_WITHIN)
                    .failFast("the node ended", () -> !node.isAlive())
                    .until(flood::allArrived);
        } catch (ConditionTimeoutException late) {
            throw new AssertionError(flood + "\n" + node.log(), late);
        }
    }

    private static void send(String id, String replyTo) {
        String envelope = "{\"url\":\"" + fixture.target.url("/ok?id=" + id) + "\",\"replyTo\":\"" + replyTo + "\"}";
        publisher.send(envelope.getBytes(UTF_8), id, Map.of());
    }
}

package io.iocluster.node.fault;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.node.RunningNode;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests that thousands of reply topics that do not exist delay no answer to one that exists. */
class InventedReplyTopicsIT {

    private static KafkaNodeFixture fixture;
    private static KafkaProducer<byte[], byte[]> producer;
    private static RunningNode node;

    private final ReplyToFlood flood = new ReplyToFlood("replies.", InventedReplyTopicsIT::send);

    @BeforeAll
    static void startFixture() {
        fixture = new KafkaNodeFixture(1, Map.of());
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", fixture.broker.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        node = fixture.startInProcess("node-1", "none").awaitReady();
    }

    @AfterAll
    static void clear() {
        producer.close();
        fixture.close();
    }

    @Test
    void answersToAnExistingTopicArriveBesideThousandsOfInventedTopics() throws Exception {
        fixture.broker.createTopic(flood.goodReplyTo(), 1, Map.of());
        flood.warmUp();
        awaitArrived(() -> readArrived() && flood.allArrived());

        flood.run();
        awaitArrived(() -> readArrived() && flood.allArrived());

        flood.assertGoodCallsUnaffected();
    }

    private boolean readArrived() {
        for (ConsumerRecord<byte[], byte[]> answer : fixture.broker.readAll(flood.goodReplyTo())) {
            flood.arrived(new String(answer.key(), UTF_8), answer.timestamp());
        }
        return true;
    }

    private void awaitArrived(Callable<Boolean> condition) {
        try {
            await().atMost(ReplyToFlood.ALL_ANSWERED_WITHIN)
                    .failFast("the node ended", () -> !node.isAlive())
                    .until(condition);
        } catch (ConditionTimeoutException late) {
            throw new AssertionError(flood + "\n" + node.log(), late);
        }
    }

    private static void send(String id, String replyTo) {
        String envelope = "{\"id\":\"" + id + "\",\"url\":\"" + fixture.target.url("/ok?id=" + id) + "\",\"replyTo\":\""
                + replyTo + "\"}";
        producer.send(new ProducerRecord<>(KafkaNodeFixture.REQUESTS, id.getBytes(UTF_8), envelope.getBytes(UTF_8)));
    }
}

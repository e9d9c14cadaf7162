package io.iocluster.node.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.NodeProcess;
import io.iocluster.node.RabbitNodeFixture;
import io.iocluster.rabbit.client.RabbitRequestPublisher;
import io.iocluster.thread.Platform;
import io.iocluster.transport.PublishResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests a node with a small heap and messages that together exceed it. */
class RabbitMemoryIT extends RabbitFaultTestBase {

    private static final int MEBIBYTE = 1 << 20;
    private static final int VALID_CALLS = 50;
    /** The heap, plus half as much for other memory. */
    private static final long MAX_RESIDENT_KILOBYTES = 768 << 10;

    private static final List<String> SMALL_HEAP = List.of("-Xmx512m", "-XX:+ExitOnOutOfMemoryError");

    /** Declares the queue like quorum queues of RabbitMQ 4, on which a message that is requeued too often is lost. */
    @BeforeEach
    void declareQueue() {
        broker.declareQueue(nodes.requests, Map.of("x-queue-type", "quorum", "x-delivery-limit", 20));
    }

    @Override
    @AfterEach
    void closeFixture() {
        super.closeFixture();
        broker.deleteQueue(nodes.requests);
    }

    @Test
    void answersAllAndPublishesThoseOverTheLimitAsDeadLetters() throws Exception {
        int small = 200;
        int large = 55;
        int tooLarge = 4;
        int refused = nodes.send(0, small, "/ok?id=");
        sendLarge(small, small + large, 8 * MEBIBYTE);
        sendLarge(small + large, small + large + tooLarge, 60 * MEBIBYTE);
        int answered = small + large + VALID_CALLS;

        NodeProcess node = nodes.start(SMALL_HEAP, "node-1", "http: {max-request-body: 16MiB}")
                .awaitReady();
        AnswerRecorder answers = recordAnswers();
        refused += nodes.send(1_000_000, 1_000_000 + VALID_CALLS, "/ok?id=");
        answers.awaitIds(answered, node);

        nodes.awaitEmpty();
        await().atMost(RabbitNodeFixture.LONG).until(() -> broker.readyMessages(nodes.deadLetters) == tooLarge);
        assertThat(node.isAlive()).isTrue();
        assertThat(answers.countsById()).hasSize(answered);
        int redelivered = RabbitNodeFixture.redelivered(node);
        assertThat(answers.duplicates()).as(node.log()).isBetween(0, refused + redelivered);
        assertThat(node.peakResidentKilobytes())
                .as("peak resident kB; %s messages redelivered", redelivered)
                .isLessThan(MAX_RESIDENT_KILOBYTES);
    }

    private void sendLarge(int from, int to, int bytes) throws Exception {
        byte[] envelope = envelope(bytes);
        try (RabbitRequestPublisher sender =
                new RabbitRequestPublisher(nodes.settings(), "sender", Platform.system())) {
            for (int number = from; number < to; number++) {
                PublishResult sent = sender.send(envelope, Integer.toString(number), Map.of())
                        .get(60, TimeUnit.SECONDS);
                assertThat(sent).isEqualTo(PublishResult.CONFIRMED);
            }
        }
    }

    private byte[] envelope(int bytes) {
        byte[] head = ("{\"url\":\"" + nodes.target.url("/ok") + "\",\"method\":\"POST\",\"body\":\"")
                .getBytes(StandardCharsets.UTF_8);
        byte[] envelope = new byte[bytes];
        Arrays.fill(envelope, (byte) 'x');
        System.arraycopy(head, 0, envelope, 0, head.length);
        envelope[bytes - 2] = '"';
        envelope[bytes - 1] = '}';
        return envelope;
    }
}

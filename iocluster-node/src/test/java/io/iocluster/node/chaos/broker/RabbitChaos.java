package io.iocluster.node.chaos.broker;

import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.GetResponse;
import io.iocluster.node.RabbitNodeFixture;
import io.iocluster.node.chaos.node.ChaosSettings;
import io.iocluster.rabbit.client.RabbitRequestPublisher;
import io.iocluster.testkit.chaos.invariant.CallRecorder;
import io.iocluster.testkit.chaos.invariant.DuplicateRules;
import io.iocluster.testkit.process.FixedWait;
import io.iocluster.testkit.rabbit.RabbitBroker;
import io.iocluster.thread.Platform;
import io.iocluster.transport.PublishResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** RabbitMQ with quorum queues: one broker, or a {@linkplain RabbitBrokers cluster} whose leader the faults hit. */
final class RabbitChaos implements ChaosBroker {

    private static final Logger LOG = LoggerFactory.getLogger(RabbitChaos.class);
    private static final int HEARTBEAT_MILLIS = 10_000;
    private static final Map<String, Object> QUORUM = Map.of("x-queue-type", "quorum");
    private static final int FOREIGN_PREFETCH = 20;
    private static final Duration DECLARED = Duration.ofMinutes(1);

    private final RabbitBrokers brokers;
    private final RabbitNodeFixture queues;
    private final RabbitRequestPublisher requests;
    private final String replies;
    private final ResultReader results = new ResultReader();
    private final Set<String> read = new HashSet<>();
    private boolean hasReplyTo;

    RabbitChaos(RabbitBrokers brokers) {
        this.brokers = brokers;
        this.queues = new RabbitNodeFixture(brokers.first(), brokers.uris());
        for (String queue : List.of(queues.requests, queues.answers, queues.deadLetters)) {
            declare(queue);
        }
        this.requests = new RabbitRequestPublisher(queues.settings(), "chaos", Platform.system());
        this.replies = "iocluster.replies." + queues.answers;
        restoreReplyTo();
    }

    @Override
    public DuplicateRules rules() {
        return DuplicateRules.forRabbit(RabbitNodeFixture.PREFETCH, HEARTBEAT_MILLIS);
    }

    @Override
    public String configuration(String node) {
        try {
            return Files.readString(queues.configure(node, ChaosSettings.lines("  lag-interval: 1s")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public CompletableFuture<Boolean> send(String id, byte[] envelope) {
        return requests.send(envelope, id, Map.of())
                .handle((result, problem) -> problem == null && result == PublishResult.CONFIRMED);
    }

    @Override
    public RabbitBroker leader() {
        return brokers.leaderOf(queues.requests);
    }

    @Override
    public void cutConnections() {
        leader().cutConnections();
    }

    @Override
    public void moveLeaders() {
        brokers.moveLeader(queues.requests);
    }

    @Override
    public void joinAndLeave(int consumers, int millisEach) {
        for (int i = 0; i < consumers; i++) {
            holdMessages(millisEach);
        }
    }

    /** Consumes messages, and returns them when its connection ends. */
    private void holdMessages(int millis) {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            factory.setUri(URI.create(brokers.uris().get(0)));
            factory.setAutomaticRecoveryEnabled(false);
            try (var connection = factory.newConnection("chaos-consumer")) {
                var channel = connection.createChannel();
                channel.basicQos(FOREIGN_PREFETCH);
                channel.basicConsume(queues.requests, false, new DefaultConsumer(channel));
                FixedWait.millis(millis);
            }
        } catch (IOException | TimeoutException | GeneralSecurityException e) {
            throw new IllegalStateException("the foreign consumer found no broker", e);
        }
    }

    @Override
    public String replyTo() {
        return replies;
    }

    @Override
    public void deleteReplyTo() {
        brokers.first().deleteQueue(replies);
        hasReplyTo = false;
    }

    @Override
    public void restoreReplyTo() {
        declare(replies);
        hasReplyTo = true;
    }

    /** Declares again after an internal error, because RabbitMQ may not start a quorum queue in time on an overloaded machine. */
    private void declare(String queue) {
        Awaitility.await().atMost(DECLARED).pollDelay(Duration.ZERO).until(() -> {
            try {
                brokers.first().declareQueue(queue, QUORUM);
                return true;
            } catch (IllegalStateException refused) {
                LOG.info("Queue cannot be declared now queue={}", queue, refused);
                return false;
            }
        });
    }

    @Override
    public void collect(CallRecorder recorder) {
        read(queues.answers, body -> results.answer(body, recorder));
        read(queues.deadLetters, body -> results.deadLetter(body, recorder));
        if (hasReplyTo) {
            read(replies, body -> results.answer(body, recorder));
        }
    }

    /**
     * Consumes all available messages. A message that is redelivered after a lost acknowledgement is not counted
     * again.
     */
    private void read(String queue, Consumer<byte[]> use) {
        for (GetResponse message : consume(queue)) {
            boolean isNew = read.add(new String(message.getBody(), StandardCharsets.UTF_8));
            if (isNew || !message.getEnvelope().isRedeliver()) {
                use.accept(message.getBody());
            }
        }
    }

    /** Returns nothing while the queue has no leader after a fault. Its messages are consumed by a later call. */
    private List<GetResponse> consume(String queue) {
        try {
            return brokers.first().consume(queue);
        } catch (IllegalStateException unavailable) {
            LOG.info("Queue cannot be consumed now queue={}", queue, unavailable);
            return List.of();
        }
    }

    @Override
    public void close() {
        requests.close();
        queues.close();
        brokers.close();
    }
}

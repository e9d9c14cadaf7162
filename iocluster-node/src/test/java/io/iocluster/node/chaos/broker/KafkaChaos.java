package io.iocluster.node.chaos.broker;

import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.node.chaos.node.ChaosSettings;
import io.iocluster.testkit.chaos.invariant.CallRecorder;
import io.iocluster.testkit.chaos.invariant.DuplicateRules;
import io.iocluster.testkit.kafka.KafkaBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;

/** Kafka: one broker, or a {@linkplain KafkaBrokers cluster} whose leader the faults hit. */
final class KafkaChaos implements ChaosBroker {

    private static final int PARTITIONS = 6;
    /** The nodes of the fixture may answer there. */
    private static final String REPLIES = "replies.chaos";

    /** The limits in {@link ChaosSettings}, plus the completions after which a node commits. */
    private static final int MAX_HELD = ChaosSettings.MAX_IN_FLIGHT + ChaosSettings.MAX_UNCONFIRMED + 100;

    /** The setting in {@link KafkaBrokers#SHORT_SESSIONS}. */
    private static final int SESSION_TIMEOUT_MILLIS = 10_000;

    private final KafkaBrokers brokers;
    private final String bootstrapServers;
    private final KafkaNodeFixture fixture;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Admin admin;
    private final ResultReader results = new ResultReader();
    private final TopicReader answers;
    private final TopicReader deadLetters;
    private TopicReader replies;

    KafkaChaos(KafkaBrokers brokers) {
        this.brokers = brokers;
        bootstrapServers = brokers.bootstrapServers();
        fixture = new KafkaNodeFixture(brokers.first(), bootstrapServers, PARTITIONS, Map.of());
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers, "linger.ms", 0),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
        answers = new TopicReader(bootstrapServers, KafkaNodeFixture.ANSWERS);
        deadLetters = new TopicReader(bootstrapServers, KafkaNodeFixture.DEAD_LETTERS);
        restoreReplyTo();
    }

    @Override
    public DuplicateRules rules() {
        return DuplicateRules.forKafka(MAX_HELD, SESSION_TIMEOUT_MILLIS);
    }

    @Override
    public String configuration(String node) {
        String[] lines = ChaosSettings.lines("  commit-batch-size: 100", "  lag-interval: 1s");
        try {
            return Files.readString(fixture.configure(node, "none", lines));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public CompletableFuture<Boolean> send(String id, byte[] envelope) {
        CompletableFuture<Boolean> sent = new CompletableFuture<>();
        producer.send(
                new ProducerRecord<>(KafkaNodeFixture.REQUESTS, envelope),
                (done, problem) -> sent.complete(problem == null));
        return sent;
    }

    @Override
    public KafkaBroker leader() {
        return brokers.leaderOf(KafkaNodeFixture.REQUESTS);
    }

    @Override
    public void cutConnections() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void moveLeaders() {
        brokers.moveLeaders(List.of(KafkaNodeFixture.REQUESTS, KafkaNodeFixture.ANSWERS));
    }

    @Override
    public void joinAndLeave(int consumers, int millisEach) {
        for (int i = 0; i < consumers; i++) {
            IdleGroupMember.join(bootstrapServers, Duration.ofMillis(millisEach));
        }
    }

    @Override
    public String replyTo() {
        return REPLIES;
    }

    @Override
    public void deleteReplyTo() {
        if (replies != null) {
            replies.close();
            replies = null;
            await(admin.deleteTopics(List.of(REPLIES)).all());
            Awaitility.await().until(() -> !await(admin.listTopics().names()).contains(REPLIES));
        }
    }

    @Override
    public void restoreReplyTo() {
        if (replies == null) {
            brokers.first().createTopic(REPLIES, PARTITIONS, Map.of());
            replies = new TopicReader(bootstrapServers, REPLIES);
        }
    }

    @Override
    public void collect(CallRecorder recorder) {
        answers.read(value -> results.answer(value, recorder));
        deadLetters.read(value -> results.deadLetter(value, recorder));
        if (replies != null) {
            replies.readToEnd(value -> results.answer(value, recorder));
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
        admin.close(Duration.ZERO);
        answers.close();
        deadLetters.close();
        if (replies != null) {
            replies.close();
        }
        fixture.close();
        brokers.close();
    }

    private static <T> T await(KafkaFuture<T> done) {
        try {
            return done.get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        } catch (ExecutionException failed) {
            throw new IllegalStateException(failed.getCause());
        }
    }
}

package io.iocluster.node.chaos;

import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.testkit.chaos.FaultKind;
import io.iocluster.testkit.chaos.invariant.CallRecorder;
import io.iocluster.testkit.chaos.invariant.DuplicateRules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;

/** One Kafka broker. Its partitions have no second leader, so leaders cannot move. */
final class KafkaChaos implements ChaosBroker {

    private static final int PARTITIONS = 6;
    /** The nodes of the fixture may answer there. */
    private static final String REPLIES = "replies.chaos";

    /** The limits in {@link ChaosSettings}, plus the completions after which a node commits. */
    private static final int HELD = ChaosSettings.MAX_IN_FLIGHT + ChaosSettings.MAX_UNCONFIRMED + 100;

    private static final int SESSION_TIMEOUT_MILLIS = 6_000;

    private final KafkaNodeFixture fixture = new KafkaNodeFixture(PARTITIONS, Map.of());
    private final String bootstrapServers = fixture.broker.bootstrapServers();
    private final KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers, "linger.ms", 0),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    private final Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    private final ResultReader results = new ResultReader();
    private final TopicReader answers = new TopicReader(bootstrapServers, KafkaNodeFixture.ANSWERS);
    private final TopicReader deadLetters = new TopicReader(bootstrapServers, KafkaNodeFixture.DEAD_LETTERS);
    private TopicReader replies;

    KafkaChaos() {
        restoreReplyPlace();
    }

    @Override
    public Set<FaultKind> kinds() {
        return EnumSet.complementOf(EnumSet.of(FaultKind.CUT_CONNECTIONS, FaultKind.MOVE_LEADER));
    }

    @Override
    public DuplicateRules rules() {
        return new DuplicateRules(HELD, SESSION_TIMEOUT_MILLIS, false);
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
    public void restart(boolean killed, int awayMillis) {
        if (killed) {
            fixture.broker.kill();
        } else {
            fixture.broker.stop();
        }
        PlanTimer.millis(awayMillis);
        fixture.broker.start();
    }

    @Override
    public void suspend(int millis) {
        fixture.broker.pause();
        PlanTimer.millis(millis);
        fixture.broker.unpause();
    }

    @Override
    public void cutConnections() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void moveLeader() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void joinAndLeave(int consumers, int millisEach) {
        for (int i = 0; i < consumers; i++) {
            IdleGroupMember.join(bootstrapServers, Duration.ofMillis(millisEach));
        }
    }

    @Override
    public String replyPlace() {
        return REPLIES;
    }

    @Override
    public void deleteReplyPlace() {
        if (replies != null) {
            replies.close();
            replies = null;
            await(admin.deleteTopics(List.of(REPLIES)).all());
            Awaitility.await().until(() -> !await(admin.listTopics().names()).contains(REPLIES));
        }
    }

    @Override
    public void restoreReplyPlace() {
        if (replies == null) {
            fixture.broker.createTopic(REPLIES, PARTITIONS, Map.of());
            replies = new TopicReader(bootstrapServers, REPLIES);
        }
    }

    @Override
    public void collect(CallRecorder ledger) {
        answers.read(value -> results.answer(value, ledger));
        deadLetters.read(value -> results.deadLetter(value, ledger));
        if (replies != null) {
            replies.readToEnd(value -> results.answer(value, ledger));
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

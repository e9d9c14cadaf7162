package io.iocluster.kafka.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.iocluster.kafka.KafkaTestSettings;
import io.iocluster.thread.Platform;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.OffsetMetadataTooLarge;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Commits on a broker that refuses long metadata. */
class OffsetCommitterTest {

    private static final TopicPartition ID = new TopicPartition("t.requests", 0);
    private static final int COMPLETED_FIRST = 10;

    private final OffsetCommitter committer = new OffsetCommitter(KafkaTestSettings.with(Map.of()), Platform.system());
    private final KafkaPartition partition =
            new KafkaPartition(ID, null, 4_096, Platform.system().random());
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(OffsetCommitter.class);

    /** A consumer whose broker has this {@code offset.metadata.max.bytes}. */
    private static final class LimitedConsumer extends MockConsumer<byte[], byte[]> {

        private final int limit;

        LimitedConsumer(int limit) {
            super("none");
            this.limit = limit;
            assign(List.of(ID));
        }

        @Override
        public synchronized void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
            if (isTooLarge(offsets)) {
                throw new OffsetMetadataTooLarge("test limit");
            }
            super.commitSync(offsets, timeout);
        }

        @Override
        public synchronized void commitAsync(
                Map<TopicPartition, OffsetAndMetadata> offsets, OffsetCommitCallback callback) {
            if (isTooLarge(offsets)) {
                callback.onComplete(offsets, new OffsetMetadataTooLarge("test limit"));
            } else {
                super.commitAsync(offsets, callback);
            }
        }

        private boolean isTooLarge(Map<TopicPartition, OffsetAndMetadata> offsets) {
            return offsets.values().stream()
                    .anyMatch(offset -> offset.metadata().length() > limit);
        }

        private OffsetAndMetadata committed() {
            return committed(Set.of(ID)).get(ID);
        }
    }

    @BeforeEach
    void completeOffsets() {
        log.start();
        logger.addAppender(log);
        partition.setTopicId(new ClusterTopicId("cluster", new Uuid(1, 2)), 0);
        partition.start(0, new int[0]);
        Random random = new Random(1);
        for (int offset = 0; offset < 3_000; offset++) {
            partition.ledger().track(offset);
            // Gaps of many lengths make long metadata.
            if (offset != COMPLETED_FIRST && (offset < COMPLETED_FIRST || random.nextBoolean())) {
                partition.ledger().complete(offset);
            }
        }
        partition.dirty = true;
    }

    @AfterEach
    void stopLog() {
        logger.detachAppender(log);
    }

    @Test
    void commitsWithAsMuchMetadataAsTheBrokerAcceptsAndWarns() {
        LimitedConsumer consumer = new LimitedConsumer(256);

        committer.commitSync(consumer, List.of(partition), Duration.ofSeconds(1));

        assertThat(consumer.committed().offset()).isEqualTo(COMPLETED_FIRST);
        assertThat(consumer.committed().metadata()).hasSizeBetween(64, 256);
        assertThat(committer.truncatedCommitMetadata()).isPositive();
        assertWarned();
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 0})
    void commitsWithoutMetadataIfTheBrokerAcceptsNone(int limit) {
        LimitedConsumer consumer = new LimitedConsumer(limit);

        committer.commitSync(consumer, List.of(partition), Duration.ofSeconds(1));

        assertThat(consumer.committed()).isEqualTo(new OffsetAndMetadata(COMPLETED_FIRST, ""));
        assertWarned();
    }

    @Test
    void retriesAnAsynchronousCommitAtOnceWithLessMetadata() {
        LimitedConsumer consumer = new LimitedConsumer(256);
        long due = System.nanoTime() + Duration.ofMinutes(1).toNanos();

        for (int i = 0; i < 8 && consumer.committed() == null; i++) {
            committer.commitIfDue(consumer, new KafkaPartition[] {partition}, due);
        }

        assertThat(consumer.committed().offset()).isEqualTo(COMPLETED_FIRST);
        assertWarned();
    }

    @Test
    void warnsOfNothingIfTheBrokerAcceptsAllMetadata() {
        LimitedConsumer consumer = new LimitedConsumer(CommitMetadata.DEFAULT_MAX_CHARACTERS);

        committer.commitSync(consumer, List.of(partition), Duration.ofSeconds(1));

        assertThat(consumer.committed().offset()).isEqualTo(COMPLETED_FIRST);
        assertThat(committer.truncatedCommitMetadata()).isZero();
        assertThat(log.list).isEmpty();
    }

    private void assertWarned() {
        assertThat(log.list).isNotEmpty().allSatisfy(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.WARN);
            assertThat(line.getFormattedMessage()).contains("redelivered after a crash", "offset.metadata.max.bytes");
        });
    }
}

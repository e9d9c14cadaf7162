package io.iocluster.kafka.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.kafka.KafkaTestSettings;
import io.iocluster.kafka.config.KafkaSettings.AutoOffsetReset;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.kafka.ledger.ClusterTopicId;
import io.iocluster.kafka.ledger.CommitMetadata;
import io.iocluster.kafka.ledger.KafkaPartition;
import io.iocluster.kafka.ledger.OrphanedCalls;
import io.iocluster.thread.Platform;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StartingPositionsTest {

    private static final TopicPartition ID = new TopicPartition("t.requests", 0);

    private static final ClusterTopicId TOPIC_ID = new ClusterTopicId("cluster", new Uuid(1, 2));

    private final Map<TopicPartition, OffsetSpec> requestedEnds = new HashMap<>();
    private final Map<TopicPartition, CompletableFuture<Long>> answers = new HashMap<>();
    private Map<String, DescribedTopic> topics = Map.of(ID.topic(), new DescribedTopic(TOPIC_ID, 3));
    private int offsetRequests;
    private final StartingPositions starts = new StartingPositions(
            KafkaTestSettings.of("127.0.0.1:9", "t", AutoOffsetReset.LATEST, Ordering.NONE, Map.of()),
            new TopicQueries() {
                @Override
                public CompletableFuture<Map<String, DescribedTopic>> requestTopics() {
                    return CompletableFuture.completedFuture(latestTopics());
                }

                @Override
                public Map<String, DescribedTopic> latestTopics() {
                    return topics;
                }

                @Override
                public Map<TopicPartition, CompletableFuture<Long>> requestOffsets(
                        Map<TopicPartition, OffsetSpec> partitions) {
                    offsetRequests++;
                    requestedEnds.putAll(partitions);
                    partitions.keySet().forEach(each -> answers.put(each, new CompletableFuture<>()));
                    return answers;
                }
            },
            new OrphanedCalls(),
            Platform.system());
    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
    private final KafkaPartition partition =
            new KafkaPartition(ID, null, 100, Platform.system().random());

    @BeforeEach
    void assign() {
        consumer.assign(List.of(ID));
        consumer.updateBeginningOffsets(Map.of(ID, 0L));
        consumer.updateEndOffsets(Map.of(ID, 50L));
    }

    @Test
    void keepsThePositionOfAStartedPartitionWithoutACommittedOffset() {
        consumer.seek(ID, 7);
        partition.setTopicId(TOPIC_ID, 0);
        partition.start(7, new int[0]);

        starts.resetInvalidPositions(consumer, new NoOffsetForPartitionException(Set.of(ID)), Map.of(ID, partition));

        assertThat(consumer.position(ID)).isEqualTo(7);
    }

    @Test
    void keepsTheSeekPositionOfAPartitionThatIsNotStarted() {
        consumer.seekToBeginning(List.of(ID));

        starts.resetInvalidPositions(consumer, new NoOffsetForPartitionException(Set.of(ID)), Map.of(ID, partition));

        assertThat(consumer.position(ID)).isZero();
    }

    @Test
    void seeksToTheBeginningWhenThePositionIsBeforeTheLog() {
        consumer.seek(ID, 7);
        partition.start(7, new int[0]);
        consumer.updateBeginningOffsets(Map.of(ID, 20L));

        starts.resetInvalidPositions(consumer, new OffsetOutOfRangeException(Map.of(ID, 7L)), Map.of(ID, partition));

        assertThat(consumer.position(ID)).isEqualTo(20);
    }

    @Test
    void requestsAllOffsetsAtOnceAndStartsEachPartitionIndependently() {
        KafkaPartition[] many = assign(1_500);
        starts.partitionsAssigned();

        assertThat(starts.startPartitions(consumer, many)).isEqualTo(1_500);
        answers.forEach((id, answer) -> {
            if (id.partition() != 7) {
                answer.complete(40L + id.partition());
            }
        });

        assertThat(starts.startPartitions(consumer, many)).isEqualTo(1);
        assertThat(offsetRequests).isEqualTo(1);
        assertThat(many[8].ledger().position()).isEqualTo(48);
        assertThat(consumer.position(many[8].id())).isEqualTo(48);
        answers.get(many[7].id()).complete(3L);
        assertThat(starts.startPartitions(consumer, many)).isZero();
    }

    @Test
    void startsEachPartitionAtItsEndWhenTheGroupIsNew() {
        start(assign(3));

        assertThat(requestedEnds.values()).hasSize(3).allMatch(OffsetSpec.LatestSpec.class::isInstance);
    }

    @Test
    void startsANewPartitionAtItsBeginningAndAnInitialOneAtItsEnd() {
        KafkaPartition[] three = assign(3);
        commit(three[0], CommitMetadata.encode(TOPIC_ID, 2, 5, new int[0]));

        start(three);

        assertThat(three[0].initialPartitions()).isEqualTo(2);
        assertThat(requestedEnds.get(three[1].id())).isInstanceOf(OffsetSpec.LatestSpec.class);
        assertThat(requestedEnds.get(three[2].id())).isInstanceOf(OffsetSpec.EarliestSpec.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "another program's"})
    void startsAPartitionAtItsBeginningWhenCommitsDoNotContainThePartitionCount(String metadata) {
        KafkaPartition[] three = assign(3);
        commit(three[0], metadata);

        start(new KafkaPartition[] {three[1]});

        assertThat(requestedEnds.get(three[1].id())).isInstanceOf(OffsetSpec.EarliestSpec.class);
    }

    @Test
    void keepsTopicsApartOnABrokerWithoutTopicIds() {
        ClusterTopicId none = new ClusterTopicId("cluster", Uuid.ZERO_UUID);
        topics = Map.of(ID.topic(), new DescribedTopic(none, 3), "t.other", new DescribedTopic(none, 3));
        KafkaPartition other = new KafkaPartition(
                new TopicPartition("t.other", 0), null, 100, Platform.system().random());
        KafkaPartition fresh = new KafkaPartition(
                new TopicPartition(ID.topic(), 1), null, 100, Platform.system().random());
        consumer.assign(List.of(ID, other.id(), fresh.id()));
        // The group started the other topic at its beginning; this topic is new to the group.
        commit(other, CommitMetadata.encode(none, 0, 5, new int[0]));

        start(new KafkaPartition[] {other, fresh});

        assertThat(requestedEnds.get(fresh.id())).isInstanceOf(OffsetSpec.LatestSpec.class);
    }

    @Test
    void ignoresCommitsOfAPreviousTopicOfTheSameName() {
        KafkaPartition[] three = assign(3);
        commit(three[0], CommitMetadata.encode(new ClusterTopicId("cluster", new Uuid(8, 9)), 0, 5, new int[0]));

        start(new KafkaPartition[] {three[1]});

        assertThat(requestedEnds.get(three[1].id())).isInstanceOf(OffsetSpec.LatestSpec.class);
    }

    private KafkaPartition[] assign(int count) {
        KafkaPartition[] partitions = new KafkaPartition[count];
        Map<TopicPartition, Long> zero = new HashMap<>();
        for (int i = 0; i < count; i++) {
            partitions[i] = new KafkaPartition(
                    new TopicPartition(ID.topic(), i),
                    null,
                    100,
                    Platform.system().random());
            zero.put(partitions[i].id(), 0L);
        }
        consumer.assign(zero.keySet());
        consumer.updateBeginningOffsets(zero);
        consumer.updateEndOffsets(zero);
        return partitions;
    }

    private void commit(KafkaPartition partition, String metadata) {
        consumer.commitSync(Map.of(partition.id(), new OffsetAndMetadata(5, metadata)));
    }

    private void start(KafkaPartition[] partitions) {
        starts.partitionsAssigned();
        starts.startPartitions(consumer, partitions);
    }
}

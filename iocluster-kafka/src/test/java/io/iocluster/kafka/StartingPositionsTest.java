package io.iocluster.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.kafka.KafkaSettings.Ordering;
import io.iocluster.kafka.KafkaSettings.Start;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StartingPositionsTest {

    private static final TopicPartition ID = new TopicPartition("t.requests", 0);

    private final KafkaSettings settings = TestSettings.of("127.0.0.1:9", "t", Start.LATEST, Ordering.NONE, Map.of());
    private final LogEnds ends = new LogEnds(settings, new ClientProperties(settings, "node"));
    private final StartingPositions starts = new StartingPositions(settings, ends, new Orphans());
    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
    private final KafkaPartition partition = new KafkaPartition(ID, null, 100);

    @BeforeEach
    void assign() {
        consumer.assign(List.of(ID));
        consumer.updateBeginningOffsets(Map.of(ID, 0L));
        consumer.updateEndOffsets(Map.of(ID, 50L));
    }

    @AfterEach
    void close() {
        ends.close();
    }

    @Test
    void goesOnWhereItReadsWhenTheConsumerSaysLateThatNothingIsCommitted() {
        consumer.seek(ID, 7);
        partition.found(new LogId("cluster", Uuid.randomUuid()));
        partition.begin(7, new int[0]);

        starts.relocate(consumer, new NoOffsetForPartitionException(Set.of(ID)), Map.of(ID, partition));

        assertThat(consumer.position(ID)).isEqualTo(7);
    }

    @Test
    void leavesAPartitionThatHasNotBegunWhereItWasTold() {
        consumer.seekToBeginning(List.of(ID));

        starts.relocate(consumer, new NoOffsetForPartitionException(Set.of(ID)), Map.of(ID, partition));

        assertThat(consumer.position(ID)).isZero();
    }

    @Test
    void goesToTheBeginningOfALogThatWasCut() {
        consumer.seek(ID, 7);
        partition.begin(7, new int[0]);
        consumer.updateBeginningOffsets(Map.of(ID, 20L));

        starts.relocate(consumer, new OffsetOutOfRangeException(Map.of(ID, 7L)), Map.of(ID, partition));

        assertThat(consumer.position(ID)).isEqualTo(20);
    }
}

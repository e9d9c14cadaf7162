package io.iocluster.kafka.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.thread.Platform;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EvenPartitionerTest {

    private static final Node BROKER = new Node(1, "127.0.0.1", 9092);
    private static final Node[] BROKERS = {BROKER};

    private final EvenPartitioner partitioner = new EvenPartitioner();

    @BeforeEach
    void configure() {
        partitioner.configure(
                Map.of(EvenPartitioner.RANDOM_CONFIG, Platform.system().random()));
    }

    @Test
    void sendsRecordsWithoutAKeyToAllPartitionsRoundRobin() {
        Cluster cluster = cluster(List.of(BROKER, BROKER, BROKER));

        Map<Integer, Long> records = IntStream.range(0, 300)
                .mapToObj(each -> partition(null, cluster))
                .collect(groupingBy(each -> each, counting()));

        assertThat(records).isEqualTo(Map.of(0, 100L, 1, 100L, 2, 100L));
    }

    @Test
    void continuesWithTheNextPartitionWhenTheMetadataHasAnotherOrder() {
        Cluster cluster = cluster(List.of(BROKER, BROKER, BROKER));
        List<PartitionInfo> reversed = new ArrayList<>(cluster.partitionsForTopic("requests"));
        Collections.reverse(reversed);
        Cluster refreshed = new Cluster("cluster", List.of(BROKER), reversed, Set.of(), Set.of());

        List<Integer> records = IntStream.range(0, 9)
                .mapToObj(each -> partition(null, each % 2 == 0 ? cluster : refreshed))
                .toList();

        for (int first = 0; first < 7; first++) {
            assertThat(records.subList(first, first + 3)).containsExactlyInAnyOrder(0, 1, 2);
        }
    }

    @Test
    void sendsRecordsWithAKeyWhereTheDefaultPartitionerSendsThem() {
        Cluster cluster = cluster(List.of(BROKER, BROKER, BROKER, BROKER, BROKER));

        for (int number = 0; number < 1_000; number++) {
            byte[] key = ("key-" + number).getBytes(UTF_8);
            assertThat(partition(key, cluster)).isEqualTo(BuiltInPartitioner.partitionForKey(key, 5));
        }
    }

    @Test
    void avoidsAPartitionWithoutALeader() {
        Cluster cluster = cluster(Arrays.asList(BROKER, null, BROKER));

        assertThat(IntStream.range(0, 10).mapToObj(each -> partition(null, cluster)))
                .containsOnly(0, 2);
    }

    @Test
    void usesAllPartitionsIfNoneHasALeader() {
        Cluster cluster = cluster(Arrays.asList(null, null));

        assertThat(IntStream.range(0, 10).mapToObj(each -> partition(null, cluster)))
                .containsOnly(0, 1);
    }

    private int partition(byte[] key, Cluster cluster) {
        return partitioner.partition("requests", key, key, null, null, cluster);
    }

    private static Cluster cluster(List<Node> leaders) {
        List<PartitionInfo> partitions = IntStream.range(0, leaders.size())
                .mapToObj(each -> new PartitionInfo("requests", each, leaders.get(each), BROKERS, BROKERS))
                .toList();
        return new Cluster("cluster", List.of(BROKER), partitions, Set.of(), Set.of());
    }
}

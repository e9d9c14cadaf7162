package io.iocluster.kafka.config;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.utils.Utils;

/**
 * Sends records without a key to the partitions round-robin, and records with a key where Kafka's default partitioner sends them. The
 * default partitioner stays on one partition until a batch is full, which takes seconds if requests are small and rare. During that time
 * one node would get all requests. Thread-safe.
 */
public final class EvenPartitioner implements Partitioner {

    /** Property of the producer with the {@link RandomGenerator} of the platform. */
    static final String RANDOM_CONFIG = "iocluster.partitioner.random";

    private final Map<String, AtomicInteger> counters = new ConcurrentHashMap<>();
    private RandomGenerator random;

    @Override
    public int partition(String topic, Object key, byte[] keyBytes, Object value, byte[] valueBytes, Cluster cluster) {
        if (keyBytes != null) {
            // The formula of the default partitioner, so that a key keeps its partition.
            return Utils.toPositive(Utils.murmur2(keyBytes)) % cluster.partitionCountForTopic(topic);
        }
        // Starts at a random partition, because many producers send only a few requests.
        int next = counters.computeIfAbsent(topic, each -> new AtomicInteger(random.nextInt()))
                .getAndIncrement();
        List<PartitionInfo> available = cluster.availablePartitionsForTopic(topic);
        int count = cluster.partitionCountForTopic(topic);
        if (available.isEmpty() || available.size() == count) {
            // Not the place in the list, because its order may change with the metadata.
            return Math.floorMod(next, count);
        }
        return available.get(Math.floorMod(next, available.size())).partition();
    }

    @Override
    public void configure(Map<String, ?> properties) {
        random = (RandomGenerator) properties.get(RANDOM_CONFIG);
    }

    @Override
    public void close() {}
}

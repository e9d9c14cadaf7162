package io.iocluster.kafka;

import io.iocluster.kafka.ledger.TestRecords;
import java.util.Arrays;
import java.util.Map;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.common.Cluster;

/** A producer plugin that throws an error for one value. */
public final class FailingPartitioner implements Partitioner {

    public static final byte[] POISON = TestRecords.bytes("poison");

    @Override
    public int partition(String topic, Object key, byte[] keyBytes, Object value, byte[] valueBytes, Cluster cluster) {
        if (Arrays.equals(POISON, valueBytes)) {
            throw new NoClassDefFoundError("a class of the plugin is missing");
        }
        return 0;
    }

    @Override
    public void configure(Map<String, ?> properties) {}

    @Override
    public void close() {}
}

package io.iocluster.kafka.replay;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The offsets of replayed dead letters. They are stored as marker records in the partition of the dead letters, in the
 * transaction that publishes the requests. Committed offsets could not store them: they expire after
 * {@code offsets.retention.minutes}, and with a filter the replayed records have gaps. Confined to one thread.
 */
final class ReplayedOffsets {

    /** The header of a marker record. */
    static final String MARKER_HEADER = "iocluster-replay-marker";

    private static final Pattern RANGE = Pattern.compile("(\\d{1,18})-(\\d{1,18})");

    /** By partition: the last offset of each range by its first. */
    private final Map<TopicPartition, TreeMap<Long, Long>> ranges = new HashMap<>();

    static boolean isMarker(ConsumerRecord<byte[], byte[]> record) {
        return record.headers().lastHeader(MARKER_HEADER) != null;
    }

    /** Returns a marker for these offsets of one partition, which ascend. It has a key, because a compacted topic needs one. */
    static ProducerRecord<byte[], byte[]> marker(TopicPartition partition, List<Long> offsets, RandomGenerator random) {
        StringBuilder text = new StringBuilder();
        int i = 0;
        while (i < offsets.size()) {
            int last = i;
            while (last + 1 < offsets.size() && offsets.get(last + 1) == offsets.get(last) + 1) {
                last++;
            }
            text.append(text.isEmpty() ? "" : ",")
                    .append(offsets.get(i))
                    .append('-')
                    .append(offsets.get(last));
            i = last + 1;
        }
        ProducerRecord<byte[], byte[]> marker = new ProducerRecord<>(
                partition.topic(),
                partition.partition(),
                utf8("iocluster-replay-" + new UUID(random.nextLong(), random.nextLong())),
                utf8(text.toString()));
        marker.headers().add(MARKER_HEADER, utf8("1"));
        return marker;
    }

    /** Adds the offsets of a marker. */
    void add(ConsumerRecord<byte[], byte[]> marker) {
        TreeMap<Long, Long> partition =
                ranges.computeIfAbsent(new TopicPartition(marker.topic(), marker.partition()), any -> new TreeMap<>());
        Matcher range = RANGE.matcher(marker.value() == null ? "" : new String(marker.value(), StandardCharsets.UTF_8));
        while (range.find()) {
            partition.merge(Long.parseLong(range.group(1)), Long.parseLong(range.group(2)), Math::max);
        }
    }

    boolean contains(ConsumerRecord<byte[], byte[]> record) {
        TreeMap<Long, Long> partition = ranges.get(new TopicPartition(record.topic(), record.partition()));
        Map.Entry<Long, Long> range = partition == null ? null : partition.floorEntry(record.offset());
        return range != null && range.getValue() >= record.offset();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

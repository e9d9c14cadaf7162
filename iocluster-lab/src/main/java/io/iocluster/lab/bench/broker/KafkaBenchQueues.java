package io.iocluster.lab.bench.broker;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/** Three topics, and the group that reads the requests. */
record KafkaBenchQueues(Admin admin, String bootstrapServers, String name, int partitions, int lingerMillis)
        implements BenchQueues {

    private static final int ENQUEUE_LINGER_MILLIS = 20;

    String requests() {
        return name + "-requests";
    }

    String answersTopic() {
        return name + "-answers";
    }

    String deadLettersTopic() {
        return name + "-dead-letters";
    }

    @Override
    public EnvelopeWriter envelopes(LoadPattern load) {
        return new KafkaEnvelopeWriter(
                bootstrapServers, requests(), partitions, load == LoadPattern.BACKLOG ? ENQUEUE_LINGER_MILLIS : 0);
    }

    @Override
    public AnswerPoller answers() {
        return new KafkaAnswerPoller(bootstrapServers, partitionsOf(answersTopic()));
    }

    @Override
    public long deadLetters() {
        Map<TopicPartition, OffsetSpec> ends = new LinkedHashMap<>();
        partitionsOf(deadLettersTopic()).forEach(partition -> ends.put(partition, OffsetSpec.latest()));
        return await(admin.listOffsets(ends).all()).values().stream()
                .mapToLong(ListOffsetsResultInfo::offset)
                .sum();
    }

    @Override
    public Map<String, Object> nodeSettings() {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("transport", "kafka");
        settings.put("kafka.bootstrap-servers", bootstrapServers);
        settings.put("kafka.requests.topics", List.of(requests()));
        settings.put("kafka.requests.group", name);
        settings.put("kafka.requests.auto-offset-reset", "earliest");
        settings.put("kafka.answers.topic", answersTopic());
        settings.put("kafka.dead-letters.topic", deadLettersTopic());
        // The announcements of a node are part of what it costs.
        settings.put("kafka.create-topics.enabled", true);
        return settings;
    }

    @Override
    public List<String> naiveLoop(int maxInFlight, LoadPattern load) {
        return List.of(
                KafkaNaiveLoop.class.getName(),
                bootstrapServers,
                requests(),
                name,
                answersTopic(),
                Integer.toString(maxInFlight),
                Integer.toString(load == LoadPattern.BACKLOG ? lingerMillis : 0));
    }

    @Override
    public void close() {
        await(admin.deleteTopics(List.of(requests(), answersTopic(), deadLettersTopic()))
                .all());
    }

    private List<TopicPartition> partitionsOf(String topic) {
        return IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
    }

    private static <T> T await(KafkaFuture<T> future) {
        try {
            return future.get(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }
}

package io.iocluster.kafka.source;

import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.ledger.KafkaPartition;
import io.iocluster.kafka.loop.BrokerMonitor;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Periodically queries the end offsets and topic ids of the assigned partitions. Confined to its thread unless stated otherwise. */
final class EndOffsetMonitor extends BrokerMonitor implements TopicQueries {

    private static final Logger LOG = LoggerFactory.getLogger(EndOffsetMonitor.class);
    /** When an open transaction is reported. Transactions usually end within seconds. */
    private static final Duration OPEN_TRANSACTION_WARNING = Duration.ofSeconds(30);

    private final KafkaSettings settings;
    private final TopicIdLookup ids;
    private final IsolationLevel isolation;
    private final OpenTransactions transactions;

    EndOffsetMonitor(KafkaConnections connections) {
        super(LOG, connections);
        this.settings = connections.settings();
        this.ids = new TopicIdLookup(connections);
        this.transactions = new OpenTransactions(OPEN_TRANSACTION_WARNING, connections);
        this.isolation = connections.properties().isReadCommitted()
                ? IsolationLevel.READ_COMMITTED
                : IsolationLevel.READ_UNCOMMITTED;
    }

    /** Starts the periodic queries. Each one covers the partitions that are assigned at that time. */
    void start(Supplier<KafkaPartition[]> assigned) {
        schedule(() -> query(assigned.get()));
    }

    /** Queries these partitions at once, so that the lag of a new assignment is known. Any thread. */
    void refreshSoon(KafkaPartition[] partitions) {
        runSoon(() -> query(partitions));
    }

    @Override
    public CompletableFuture<Map<String, DescribedTopic>> requestTopics() {
        CompletableFuture<Map<String, DescribedTopic>> answer = new CompletableFuture<>();
        try {
            execute(() -> {
                try {
                    answer.complete(ids.fetch(admin()));
                } catch (InterruptedException closing) {
                    Thread.currentThread().interrupt();
                    answer.completeExceptionally(closing);
                } catch (ExecutionException | TimeoutException | RuntimeException | Error e) {
                    answer.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException closed) {
            answer.completeExceptionally(closed);
        }
        return answer;
    }

    @Override
    public Map<String, DescribedTopic> latestTopics() {
        return ids.latest();
    }

    @Override
    public Map<TopicPartition, CompletableFuture<Long>> requestOffsets(Map<TopicPartition, OffsetSpec> partitions) {
        Map<TopicPartition, CompletableFuture<Long>> answers = new HashMap<>();
        Admin client = adminIfConnected();
        ListOffsetsResult offsets =
                client == null ? null : client.listOffsets(partitions, new ListOffsetsOptions(isolation));
        for (TopicPartition partition : partitions.keySet()) {
            answers.put(
                    partition,
                    offsets == null
                            ? CompletableFuture.failedFuture(new IllegalStateException("not connected yet"))
                            : offsets.partitionResult(partition)
                                    .toCompletionStage()
                                    .thenApply(ListOffsetsResultInfo::offset)
                                    .toCompletableFuture());
        }
        return answers;
    }

    private String query(KafkaPartition[] partitions)
            throws InterruptedException, ExecutionException, TimeoutException {
        Set<String> found = ids.fetch(admin()).keySet();
        List<String> topics = settings.consumedTopics();
        if (partitions.length > 0) {
            queryEnds(partitions);
        } else if (!found.containsAll(topics)) {
            return "Not all consumed topics exist: " + topics;
        }
        return null;
    }

    private void queryEnds(KafkaPartition[] partitions)
            throws InterruptedException, ExecutionException, TimeoutException {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        for (KafkaPartition partition : partitions) {
            latest.put(partition.id(), OffsetSpec.latest());
        }
        boolean committedOnly = isolation == IsolationLevel.READ_COMMITTED;
        long askedNanos = nanos();
        // Read first, so that records written between the two requests do not look like an open transaction.
        Map<TopicPartition, Long> highWatermarks = committedOnly ? ends(latest, IsolationLevel.READ_UNCOMMITTED) : null;
        Map<TopicPartition, Long> readable = ends(latest, isolation);
        transactions.retain(latest);
        for (KafkaPartition partition : partitions) {
            long end = readable.get(partition.id());
            partition.end = end;
            partition.ends.add(committedOnly ? highWatermarks.get(partition.id()) : end, askedNanos);
            if (committedOnly) {
                transactions.update(admin(), partition, end, highWatermarks.get(partition.id()));
            }
        }
    }

    private Map<TopicPartition, Long> ends(Map<TopicPartition, OffsetSpec> latest, IsolationLevel level)
            throws InterruptedException, ExecutionException, TimeoutException {
        ListOffsetsResult answer = admin().listOffsets(latest, new ListOffsetsOptions(level));
        Map<TopicPartition, Long> ends = new HashMap<>();
        for (TopicPartition partition : latest.keySet()) {
            ends.put(partition, await(answer.partitionResult(partition)).offset());
        }
        return ends;
    }
}

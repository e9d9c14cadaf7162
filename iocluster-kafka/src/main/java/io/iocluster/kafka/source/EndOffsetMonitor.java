package io.iocluster.kafka.source;

import io.iocluster.kafka.config.ClientProperties;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.ledger.KafkaPartition;
import io.iocluster.thread.DaemonThreadFactory;
import io.iocluster.transport.outage.ProblemLog;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
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

/**
 * Periodically queries the end offsets and topic ids of the assigned partitions, which also shows whether the broker is
 * reachable. Owns a thread, to which everything except the volatile fields is confined.
 */
final class EndOffsetMonitor implements TopicQueries {

    private static final Logger LOG = LoggerFactory.getLogger(EndOffsetMonitor.class);
    private static final long TIMEOUT_SECONDS = 6;
    /** When an open transaction is reported. Transactions usually end within seconds. */
    private static final Duration OPEN_TRANSACTION_WARNING = Duration.ofSeconds(30);

    private final KafkaSettings settings;
    private final ClientProperties properties;
    private final TopicIdLookup ids;
    private final IsolationLevel isolation;
    private final OpenTransactions transactions = new OpenTransactions(OPEN_TRANSACTION_WARNING);
    private final ProblemLog problem;
    private final ScheduledExecutorService executor = DaemonThreadFactory.newScheduler("iocluster-kafka-ends");

    private volatile Admin admin;

    EndOffsetMonitor(KafkaSettings settings, ClientProperties properties) {
        this.settings = settings;
        this.problem = ProblemLog.ofBroker(LOG, "not connected yet", settings.bootstrapServers());
        this.properties = properties;
        this.ids = new TopicIdLookup(settings.consumedTopics());
        this.isolation = "read_uncommitted".equals(settings.properties().get("isolation.level"))
                ? IsolationLevel.READ_UNCOMMITTED
                : IsolationLevel.READ_COMMITTED;
    }

    /** Starts the periodic queries. Each one covers the partitions that are assigned at that time. */
    void start(Supplier<KafkaPartition[]> assigned) {
        long interval = settings.lagInterval().toMillis();
        // A topic that is being created is not visible at once.
        long first = settings.createTopics().enabled() ? Math.min(interval, 500) : 0;
        executor.scheduleWithFixedDelay(() -> query(assigned.get()), first, interval, TimeUnit.MILLISECONDS);
    }

    /** Queries these partitions at once, so that the lag of a new assignment is known. Any thread. */
    void refreshSoon(KafkaPartition[] partitions) {
        try {
            executor.execute(() -> query(partitions));
        } catch (RejectedExecutionException closed) {
            LOG.debug("End offsets not queried; monitor is closed");
        }
    }

    /** Returns why the broker does not answer, or null. */
    String problem() {
        return problem.problem();
    }

    /** Returns whether the last query failed, so that end offsets are old. */
    boolean isStale() {
        return problem.problem() != null;
    }

    @Override
    public CompletableFuture<Map<String, DescribedTopic>> requestTopics() {
        CompletableFuture<Map<String, DescribedTopic>> answer = new CompletableFuture<>();
        try {
            executor.execute(() -> {
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
        Admin client = admin;
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

    private Admin admin() {
        if (admin == null) {
            admin = Admin.create(properties.admin("ends"));
        }
        return admin;
    }

    private void query(KafkaPartition[] partitions) {
        try {
            Set<String> found = ids.fetch(admin()).keySet();
            List<String> topics = settings.consumedTopics();
            if (partitions.length > 0) {
                queryEnds(partitions);
            } else if (!found.containsAll(topics)) {
                problem.raise("Not all consumed topics exist: " + topics, null);
                return;
            }
            problem.clear();
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException | RuntimeException | Error e) {
            if (!executor.isShutdown()) {
                problem.raise("End offsets cannot be read", e);
            }
        }
    }

    private void queryEnds(KafkaPartition[] partitions)
            throws InterruptedException, ExecutionException, TimeoutException {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        for (KafkaPartition partition : partitions) {
            latest.put(partition.id(), OffsetSpec.latest());
        }
        boolean committedOnly = isolation == IsolationLevel.READ_COMMITTED;
        long askedNanos = System.nanoTime();
        // Read first, so that records written between the two requests do not look like an open transaction.
        Map<TopicPartition, Long> highWatermarks = committedOnly ? ends(latest, IsolationLevel.READ_UNCOMMITTED) : null;
        Map<TopicPartition, Long> readable = ends(latest, isolation);
        transactions.retain(latest);
        for (KafkaPartition partition : partitions) {
            long end = readable.get(partition.id());
            partition.end = end;
            partition.ends.add(committedOnly ? highWatermarks.get(partition.id()) : end, askedNanos);
            if (committedOnly) {
                transactions.update(admin, partition, end, highWatermarks.get(partition.id()));
            }
        }
    }

    private Map<TopicPartition, Long> ends(Map<TopicPartition, OffsetSpec> latest, IsolationLevel level)
            throws InterruptedException, ExecutionException, TimeoutException {
        ListOffsetsResult answer = admin.listOffsets(latest, new ListOffsetsOptions(level));
        Map<TopicPartition, Long> ends = new HashMap<>();
        for (TopicPartition partition : latest.keySet()) {
            ends.put(
                    partition,
                    answer.partitionResult(partition)
                            .get(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                            .offset());
        }
        return ends;
    }

    void close() {
        executor.shutdownNow();
        Admin last = admin;
        if (last != null) {
            last.close(Duration.ofMillis(500));
        }
    }
}

package io.iocluster.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the broker again and again where the assigned partitions end, and so whether it is there. Has a thread of its own,
 * to which all but the volatile fields is confined.
 */
final class LogEnds {

    private static final Logger LOG = LoggerFactory.getLogger(LogEnds.class);
    private static final long ANSWER_WITHIN_SECONDS = 6;

    private final KafkaSettings settings;
    private final ClientProperties properties;
    private final Supplier<KafkaPartition[]> assigned;
    private final IsolationLevel isolation;
    private final ProblemLog problem = new ProblemLog(LOG, "not connected yet");
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "iocluster-kafka-ends");
        made.setDaemon(true);
        return made;
    });

    private volatile Admin admin;

    LogEnds(KafkaSettings settings, ClientProperties properties, Supplier<KafkaPartition[]> assigned) {
        this.settings = settings;
        this.properties = properties;
        this.assigned = assigned;
        this.isolation = "read_uncommitted".equals(settings.properties().get("isolation.level"))
                ? IsolationLevel.READ_UNCOMMITTED
                : IsolationLevel.READ_COMMITTED;
    }

    void start() {
        long interval = settings.lagInterval().toMillis();
        // Topics that are being made need a moment.
        long first = settings.createTopics().enabled() ? Math.min(interval, 500) : 0;
        thread.scheduleWithFixedDelay(this::ask, first, interval, TimeUnit.MILLISECONDS);
    }

    /** Why the broker does not answer, or null. */
    String problem() {
        return problem.problem();
    }

    boolean isStale() {
        return problem.problem() != null;
    }

    private void ask() {
        try {
            if (admin == null) {
                admin = Admin.create(properties.admin("ends"));
            }
            KafkaPartition[] partitions = assigned.get();
            if (partitions.length == 0) {
                admin.describeTopics(settings.requests().topics())
                        .allTopicNames()
                        .get(ANSWER_WITHIN_SECONDS, TimeUnit.SECONDS);
            } else {
                askEnds(partitions);
            }
            problem.clear();
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            if (!thread.isShutdown()) {
                boolean missing = e.getCause() instanceof UnknownTopicOrPartitionException;
                problem.raise(
                        missing
                                ? "Not all topics of requests exist: "
                                        + settings.requests().topics()
                                : "The broker does not say where the topics end",
                        e);
            }
        }
    }

    private void askEnds(KafkaPartition[] partitions)
            throws InterruptedException, ExecutionException, TimeoutException {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        for (KafkaPartition partition : partitions) {
            asked.put(partition.id(), OffsetSpec.latest());
        }
        ListOffsetsResult ends = admin.listOffsets(asked, new ListOffsetsOptions(isolation));
        for (KafkaPartition partition : partitions) {
            partition.end = ends.partitionResult(partition.id())
                    .get(ANSWER_WITHIN_SECONDS, TimeUnit.SECONDS)
                    .offset();
        }
    }

    void close() {
        thread.shutdownNow();
        Admin last = admin;
        if (last != null) {
            last.close(Duration.ofMillis(500));
        }
    }
}

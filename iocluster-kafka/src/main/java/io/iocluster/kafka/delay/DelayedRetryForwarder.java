package io.iocluster.kafka.delay;

import io.iocluster.kafka.DueQueue;
import io.iocluster.kafka.config.ClientProperties;
import io.iocluster.kafka.config.ConsumerFactory;
import io.iocluster.kafka.config.DelayedTopics;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaTopicAdmin;
import io.iocluster.kafka.ledger.KafkaDelivery;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.outage.Backoff;
import io.iocluster.transport.outage.ProblemLog;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves delayed requests to the topic of due requests when their delay is over (docs/adr/0013-delayed-retries-wait-in-the-broker.md). Reads
 * as a member of a group of its own. All messages of one topic wait equally long, so the first of a partition is due first. What was
 * fetched stays in memory until it is due and confirmed, and its partition is paused. A position is committed after the broker has
 * confirmed all messages before it; after a crash the messages between are moved twice. Confined to its own thread, except
 * {@link #start} and {@link #close}.
 */
public final class DelayedRetryForwarder implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(DelayedRetryForwarder.class);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);
    private static final Duration COMMIT_WITHIN = Duration.ofSeconds(10);
    /** How long one turn waits for confirmations; then the consumer polls again and stays a member of the group. */
    private static final long CONFIRM_MILLIS = 100;

    /** How long the messages of a partition wait after a refused one. */
    private static final long AGAIN_MILLIS = 1_000;

    private final DelayedTopics topics;
    private final ConsumerFactory consumers;
    private final Function<ProducerRecord<byte[], byte[]>, CompletableFuture<PublishResult>> publisher;
    private final BiFunction<ConsumerRecord<byte[], byte[]>, DeadLetterReason, CompletionStage<PublishResult>>
            deadLetters;
    private final Backoff backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10));
    private final ProblemLog problem = new ProblemLog(LOG, null);
    private final Thread thread;

    /** What was fetched and is not confirmed. */
    private final Map<TopicPartition, DueQueue> queues = new HashMap<>();

    private final long pollBytes;
    private volatile boolean closing;

    /**
     * A forwarder that does nothing yet.
     *
     * @param publisher publishes with confirmation, as a value
     * @param deadLetters publishes a record as a dead letter if it is too large for the topic of due retries
     */
    public DelayedRetryForwarder(
            KafkaSettings settings,
            ClientProperties properties,
            KafkaTopicAdmin topics,
            Function<ProducerRecord<byte[], byte[]>, CompletableFuture<PublishResult>> publisher,
            BiFunction<ConsumerRecord<byte[], byte[]>, DeadLetterReason, CompletionStage<PublishResult>> deadLetters) {
        this.topics = settings.delayedTopics();
        this.consumers =
                new ConsumerFactory("delayed", properties, topics, properties::delayedRetryConsumer, Integer.MAX_VALUE);
        this.pollBytes = settings.bufferBytes().bytes();
        this.publisher = publisher;
        this.deadLetters = deadLetters;
        this.thread = new Thread(this, "iocluster-kafka-delayed");
        this.thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    @Override
    public void run() {
        while (!closing) {
            Consumer<byte[], byte[]> consumer = null;
            try {
                consumer = consumers.open();
                consumer.subscribe(topics.delayTopics(), forgetting());
                while (!closing) {
                    turn(consumer);
                }
            } catch (Throwable failure) {
                recover(failure);
            } finally {
                closeQuietly(consumer);
            }
        }
    }

    /** Drops what was fetched from partitions that another member reads from now on. */
    private ConsumerRebalanceListener forgetting() {
        return new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
                queues.keySet().removeAll(partitions);
            }

            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}
        };
    }

    private void turn(Consumer<byte[], byte[]> consumer) {
        pause(consumer);
        consumers.setPollBudget(freeBytes());
        read(consumer, consumer.poll(inFlight().isEmpty() ? POLL : Duration.ZERO));
        long now = System.currentTimeMillis();
        queues.forEach((from, queue) -> queue.publishDue(now, this::publish));
        awaitConfirmations();
        boolean refused = settle();
        commit(consumer);
        if (!refused && problem.problem() != null && !consumer.assignment().isEmpty()) {
            problem.clear();
            backoff.reset();
        }
    }

    /** Pauses each partition until all that was fetched from it is confirmed. */
    private void pause(Consumer<?, ?> consumer) {
        queues.keySet().retainAll(consumer.assignment());
        long now = System.currentTimeMillis();
        Set<TopicPartition> pause = new HashSet<>();
        queues.forEach((partition, queue) -> {
            if (queue.holdsBack(now)) {
                pause.add(partition);
            }
        });
        Set<TopicPartition> resume = new HashSet<>(consumer.paused());
        resume.removeAll(pause);
        consumer.resume(resume);
        consumer.pause(pause);
    }

    /** Returns how many bytes the next poll may return. Queues keep to half of the limit, so this is never far below the other half. */
    private long freeBytes() {
        return Math.max(
                0,
                pollBytes - queues.values().stream().mapToLong(DueQueue::bytes).sum());
    }

    private List<CompletableFuture<PublishResult>> inFlight() {
        return queues.values().stream().flatMap(DueQueue::inFlight).toList();
    }

    /** Keeps what was fetched. If one partition's share of the memory does not suffice, the rest is fetched again when it is due. */
    private void read(Consumer<?, ?> consumer, ConsumerRecords<byte[], byte[]> records) {
        long share = pollBytes / 2 / Math.max(1, consumer.assignment().size());
        for (TopicPartition from : records.partitions()) {
            long delay = topics.delay(from.topic()).toMillis();
            DueQueue queue = queues.computeIfAbsent(from, partition -> new DueQueue(delay));
            records.records(from).forEach(queue::add);
            long next = queue.trim(share, System.currentTimeMillis());
            if (next >= 0) {
                consumer.seek(from, next);
            }
        }
    }

    /** Turns a request that is too large for the topic into a dead letter, because it would block those behind it. */
    private CompletableFuture<PublishResult> publish(ConsumerRecord<byte[], byte[]> message) {
        ProducerRecord<byte[], byte[]> due =
                new ProducerRecord<>(topics.dueTopic(), null, message.key(), message.value(), message.headers());
        return publisher.apply(due).thenCompose(result -> {
            if (!(result instanceof PublishResult.TooLarge tooLarge)) {
                return CompletableFuture.completedFuture(result);
            }
            LOG.warn(
                    "Delayed request is too large for its topic; it becomes a dead letter record={} topic={} problem={}",
                    KafkaDelivery.coordinates(message),
                    due.topic(),
                    tooLarge.problem());
            return deadLetters.apply(message, DeadLetterReason.delayedRetryTooLarge(tooLarge.problem()));
        });
    }

    private void awaitConfirmations() {
        try {
            CompletableFuture.allOf(inFlight().toArray(CompletableFuture[]::new))
                    .get(CONFIRM_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException notYet) {
            LOG.trace("Not all confirmed yet");
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            closing = true;
        } catch (ExecutionException bug) {
            throw new IllegalStateException("a publish fails as a value", bug);
        }
    }

    /** Removes what is confirmed without a gap. Returns whether something was refused. */
    private boolean settle() {
        long now = System.currentTimeMillis();
        PublishResult refused = null;
        for (DueQueue queue : queues.values()) {
            PublishResult result = queue.settle(now + AGAIN_MILLIS);
            refused = result == null ? refused : result;
        }
        if (refused != null && !closing) {
            problem.raise("Delayed requests cannot be moved to the topic of due requests: " + refused, null);
        }
        return refused != null;
    }

    private void commit(Consumer<?, ?> consumer) {
        queues.keySet().retainAll(consumer.assignment());
        Map<TopicPartition, OffsetAndMetadata> moved = new HashMap<>();
        queues.forEach((partition, queue) -> {
            if (queue.uncommitted() >= 0) {
                moved.put(partition, new OffsetAndMetadata(queue.uncommitted()));
            }
        });
        if (moved.isEmpty()) {
            return;
        }
        try {
            consumer.commitSync(moved, COMMIT_WITHIN);
            moved.forEach((partition, offset) -> queues.get(partition).committed());
        } catch (CommitFailedException | RebalanceInProgressException changing) {
            LOG.debug("Committed later, or moved twice", changing);
        }
    }

    private void recover(Throwable failure) {
        if (closing) {
            return;
        }
        queues.clear();
        if (consumers.fallBackAfter(failure)) {
            return;
        }
        problem.raise("Delayed requests cannot be read", failure);
        if (!(failure instanceof Exception)) {
            LOG.error("Defect in the forwarder of delayed requests; it continues", failure);
        }
        backoff.sleepUnless(() -> closing);
    }

    private static void closeQuietly(Consumer<?, ?> consumer) {
        if (consumer == null) {
            return;
        }
        try {
            consumer.close(CloseOptions.timeout(CLOSE_WITHIN)
                    .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
        } catch (RuntimeException e) {
            LOG.debug("The consumer did not close cleanly", e);
        }
    }

    /** Leaves what is not moved where it is. */
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        try {
            thread.join(2 * CLOSE_WITHIN.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

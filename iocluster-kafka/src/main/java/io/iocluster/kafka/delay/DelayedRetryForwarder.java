package io.iocluster.kafka.delay;

import io.iocluster.kafka.config.ConsumerFactory;
import io.iocluster.kafka.config.DelayedTopics;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaTopicAdmin;
import io.iocluster.kafka.ledger.KafkaDelivery;
import io.iocluster.thread.LoopThread;
import io.iocluster.thread.Platform;
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
import java.util.concurrent.atomic.AtomicInteger;
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
 * Moves delayed retries to the topic of due retries when their delay is over
 * (docs/adr/0013-delayed-retries-wait-in-the-broker.md). Uses a separate consumer group. All messages of one topic
 * have the same delay, so the first message of a partition is due first. Fetched messages stay in memory until they are
 * due and confirmed, and their partition is paused. An offset is committed after the broker has confirmed all messages
 * before it; after a crash, confirmed messages above it are moved twice. A forwarder that closes or loses a partition to
 * another one waits for the confirmations first. Confined to its own thread, except {@link #start} and {@link #close}.
 */
public final class DelayedRetryForwarder {

    private static final Logger LOG = LoggerFactory.getLogger(DelayedRetryForwarder.class);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);
    private static final Duration COMMIT_WITHIN = Duration.ofSeconds(10);
    /** Maximum wait for confirmations before the next poll, so that the consumer stays a member of the group. */
    private static final Duration CONFIRM_WITHIN = Duration.ofMillis(100);

    /** Delay of a partition after a failed publish. */
    private static final long RETRY_MILLIS = 1_000;

    private final DelayedTopics topics;
    private final ConsumerFactory consumers;
    private final Function<ProducerRecord<byte[], byte[]>, CompletableFuture<PublishResult>> publisher;
    private final BiFunction<ConsumerRecord<byte[], byte[]>, DeadLetterReason, CompletionStage<PublishResult>>
            deadLetters;
    private final Backoff backoff;
    private final Platform platform;
    private final ProblemLog problem;
    private final LoopThread thread;

    /** Messages that were fetched and are not confirmed. */
    private final Map<TopicPartition, DueQueue> queues = new HashMap<>();

    /** Number of messages that were published and are neither confirmed nor failed. */
    private final AtomicInteger unconfirmed = new AtomicInteger();

    private final long pollBytes;
    private Consumer<byte[], byte[]> consumer;
    private long backsOffUntil;
    private final Duration revokeTimeout;
    private volatile boolean closing;
    private volatile Duration closeTimeout = Duration.ZERO;

    /**
     * Creates a forwarder that is not started.
     *
     * @param publisher publishes a record; the result is a value, never an exception
     * @param deadLetters publishes a record as a dead letter, if it is too large for the topic of due retries
     */
    public DelayedRetryForwarder(
            KafkaConnections connections,
            KafkaTopicAdmin topics,
            Function<ProducerRecord<byte[], byte[]>, CompletableFuture<PublishResult>> publisher,
            BiFunction<ConsumerRecord<byte[], byte[]>, DeadLetterReason, CompletionStage<PublishResult>> deadLetters) {
        KafkaSettings settings = connections.settings();
        this.platform = connections.platform();
        this.backsOffUntil = platform.nanos();
        this.problem = ProblemLog.ofBroker(LOG, null, settings.bootstrapServers(), platform);
        this.backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10), platform.random());
        this.topics = settings.delayedTopics();
        this.consumers = new ConsumerFactory(
                "delayed", connections, topics, connections.properties()::delayedRetryConsumer, Integer.MAX_VALUE);
        this.pollBytes = settings.bufferBytes().bytes();
        this.revokeTimeout = settings.revokeTimeout();
        this.publisher = publisher;
        this.deadLetters = deadLetters;
        this.thread = platform.newLoop("iocluster-kafka-delayed", this::run);
    }

    /** Starts the thread. */
    public void start() {
        thread.start();
    }

    private long run() {
        if (closing) {
            end();
            return LoopThread.Task.END;
        }
        long backsOff = backsOffUntil - platform.nanos();
        if (consumer == null && backsOff > 0) {
            return backsOff;
        }
        try {
            if (consumer == null) {
                consumer = consumers.open();
                consumer.subscribe(topics.delayTopics(), finishRevoked());
            }
            return runOnce();
        } catch (Throwable failure) {
            backsOffUntil = platform.nanos() + recover(failure);
            closeQuietly();
            return 0;
        }
    }

    private void end() {
        try {
            if (consumer != null) {
                finish(closeTimeout);
            }
        } catch (RuntimeException | Error failure) {
            LOG.debug("Moved messages not committed; they are moved again", failure);
        } finally {
            closeQuietly();
        }
    }

    /** Returns a listener that commits what is moved and drops the other messages of revoked partitions. */
    private ConsumerRebalanceListener finishRevoked() {
        return new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
                finish(revokeTimeout);
                queues.keySet().removeAll(partitions);
            }

            @Override
            public void onPartitionsLost(Collection<TopicPartition> partitions) {
                queues.keySet().removeAll(partitions);
            }

            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}
        };
    }

    /** Returns how long to wait for confirmations before the next run, in nanoseconds. */
    private long runOnce() {
        boolean failed = settle();
        commit();
        pause();
        read(consumers.poll(consumer, inFlight().isEmpty() ? POLL : Duration.ZERO, freeBytes()));
        long now = platform.wallMillis();
        queues.forEach((from, queue) -> queue.publishDue(now, this::publish));
        if (!failed && problem.problem() != null && !consumer.assignment().isEmpty()) {
            problem.clear();
            backoff.reset();
        }
        return unconfirmed.get() == 0 ? 0 : CONFIRM_WITHIN.toNanos();
    }

    /** Pauses each partition that has unconfirmed messages, and resumes the others. */
    private void pause() {
        queues.keySet().retainAll(consumer.assignment());
        long now = platform.wallMillis();
        Set<TopicPartition> pause = new HashSet<>();
        queues.forEach((partition, queue) -> {
            if (queue.shouldPause(now)) {
                pause.add(partition);
            }
        });
        Set<TopicPartition> resume = new HashSet<>(consumer.paused());
        resume.removeAll(pause);
        consumer.resume(resume);
        consumer.pause(pause);
    }

    /**
     * Returns how many bytes the next poll may return. Queues use at most half of the limit, so about half is always
     * free.
     */
    private long freeBytes() {
        return Math.max(
                0,
                pollBytes - queues.values().stream().mapToLong(DueQueue::bytes).sum());
    }

    private List<CompletableFuture<PublishResult>> inFlight() {
        return queues.values().stream().flatMap(DueQueue::inFlight).toList();
    }

    /**
     * Queues fetched messages. If a partition's share of memory is used up, the rest is fetched again when it is due.
     */
    private void read(ConsumerRecords<byte[], byte[]> records) {
        long share = pollBytes / 2 / Math.max(1, consumer.assignment().size());
        for (TopicPartition from : records.partitions()) {
            long delay = topics.delay(from.topic()).toMillis();
            DueQueue queue = queues.computeIfAbsent(from, partition -> new DueQueue(delay));
            records.records(from).forEach(queue::add);
            long next = queue.trim(share, platform.wallMillis());
            if (next >= 0) {
                consumer.seek(from, next);
            }
        }
    }

    private CompletableFuture<PublishResult> publish(ConsumerRecord<byte[], byte[]> message) {
        unconfirmed.incrementAndGet();
        return publishDueOrDead(message).whenComplete((result, bug) -> {
            if (unconfirmed.decrementAndGet() == 0) {
                thread.wake();
            }
        });
    }

    /**
     * Publishes a request to the topic of due retries, or as a dead letter if it is too large, because it would block
     * the others.
     */
    private CompletableFuture<PublishResult> publishDueOrDead(ConsumerRecord<byte[], byte[]> message) {
        ProducerRecord<byte[], byte[]> due =
                new ProducerRecord<>(topics.dueTopic(), null, message.key(), message.value(), message.headers());
        return publisher.apply(due).thenCompose(result -> {
            if (!(result instanceof PublishResult.TooLarge tooLarge)) {
                return CompletableFuture.completedFuture(result);
            }
            LOG.warn(
                    "Delayed retry is too large for the topic of due retries; it becomes a dead letter record={}"
                            + " topic={} problem={}",
                    KafkaDelivery.coordinates(message),
                    due.topic(),
                    tooLarge.problem());
            return deadLetters.apply(message, DeadLetterReason.delayedRetryTooLarge(tooLarge.problem()));
        });
    }

    /** Waits for the messages in flight and commits those that are confirmed. */
    private void finish(Duration timeout) {
        awaitConfirmations(timeout);
        settle();
        commit();
    }

    private void awaitConfirmations(Duration timeout) {
        try {
            platform.await(CompletableFuture.allOf(inFlight().toArray(CompletableFuture[]::new)), timeout);
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            closing = true;
        }
    }

    /** Removes confirmed messages up to the first unconfirmed one. Returns whether a publish failed. */
    private boolean settle() {
        long now = platform.wallMillis();
        PublishResult failed = null;
        for (DueQueue queue : queues.values()) {
            PublishResult result = queue.settle(now + RETRY_MILLIS);
            failed = result == null ? failed : result;
        }
        if (failed != null && !closing) {
            problem.raise("Moving delayed retries to the topic of due retries failed: " + failed, null);
        }
        return failed != null;
    }

    private void commit() {
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
            moved.forEach((partition, offset) -> queues.get(partition).markCommitted());
        } catch (CommitFailedException | RebalanceInProgressException changing) {
            LOG.debug("Offset commit failed during a rebalance; retrying later, or messages are moved twice", changing);
        }
    }

    /** Returns how long to wait before the next consumer is opened, in nanoseconds. */
    private long recover(Throwable failure) {
        queues.clear();
        if (closing || consumers.fallBackAfter(failure)) {
            return 0;
        }
        problem.raise("Reading delayed retries failed", failure);
        if (!(failure instanceof Exception)) {
            LOG.error("Defect in the forwarder of delayed retries; it continues", failure);
        }
        return backoff.nextDelayNanos();
    }

    private void closeQuietly() {
        if (consumer == null) {
            return;
        }
        try {
            consumer.close(CloseOptions.timeout(CLOSE_WITHIN)
                    .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
        } catch (RuntimeException | Error e) {
            LOG.debug("Consumer did not close cleanly", e);
        }
        consumer = null;
    }

    /**
     * Stops the thread. Messages that are not moved stay in the delay topics.
     *
     * @param timeout how long to wait for the confirmations of messages that are in flight; the next forwarder moves
     *     unconfirmed ones again
     */
    public void close(Duration timeout) {
        closeTimeout = timeout;
        closing = true;
        thread.join(timeout.plus(CLOSE_WITHIN));
    }
}

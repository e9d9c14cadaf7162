package io.iocluster.kafka;

import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.outage.Backoff;
import io.iocluster.transport.outage.ProblemLog;
import java.time.Duration;
import java.util.ArrayList;
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
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves what was put off to the topic of what is due, once its wait is over (docs/adr/0013-long-waits-are-the-brokers.md). It reads
 * as a member of a group of its own, from topics in each of which all messages wait equally long, so that the first is due first: a
 * partition whose head is not due is paused until that is. A position is committed after the broker has confirmed the messages
 * before it, where they went; what a crash leaves between is moved twice. Confined to its own thread, but for {@link #start} and
 * {@link #close}.
 */
final class DueForwarder implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(DueForwarder.class);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);
    private static final Duration COMMIT_WITHIN = Duration.ofSeconds(10);
    /** After so long the group hears that this member is alive, whatever it waits for. */
    private static final long CONFIRM_MILLIS = 1_000;

    private static final long AGAIN_MILLIS = 1_000;

    private final DelayedTopics topics;
    private final ConsumerFactory consumers;
    private final Function<ProducerRecord<byte[], byte[]>, CompletableFuture<PublishResult>> publisher;
    private final BiFunction<ConsumerRecord<byte[], byte[]>, DeadLetterReason, CompletionStage<PublishResult>>
            deadLetters;
    private final Backoff backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10));
    private final ProblemLog problem = new ProblemLog(LOG, null);
    private final Thread thread;

    /** Until when partitions are paused, in milliseconds since the epoch. */
    private final Map<TopicPartition, Long> pausedUntil = new HashMap<>();
    /** What is moved and not committed. */
    private final Map<TopicPartition, OffsetAndMetadata> moved = new HashMap<>();

    /** Whether something of what was moved last was not taken. */
    private boolean refused;

    private final long pollBytes;
    private volatile boolean closing;

    /** One message on its way. */
    private record Moving(
            TopicPartition from, ConsumerRecord<byte[], byte[]> message, CompletableFuture<PublishResult> result) {

        boolean isConfirmed() {
            return result.isDone() && result.join() instanceof PublishResult.Confirmed;
        }
    }

    /**
     * A forwarder that does nothing yet.
     *
     * @param publisher publishes with confirmation, as a value
     * @param deadLetters publishes a record as a dead letter if it is too large for the topic of due retries
     */
    DueForwarder(
            KafkaSettings settings,
            ClientProperties properties,
            KafkaTopics topics,
            Function<ProducerRecord<byte[], byte[]>, CompletableFuture<PublishResult>> publisher,
            BiFunction<ConsumerRecord<byte[], byte[]>, DeadLetterReason, CompletionStage<PublishResult>> deadLetters) {
        this.topics = settings.delayedTopics();
        this.consumers = new ConsumerFactory("delayed", properties, topics, properties::forwarder, Integer.MAX_VALUE);
        this.pollBytes = settings.bufferBytes().bytes();
        this.publisher = publisher;
        this.deadLetters = deadLetters;
        this.thread = new Thread(this, "iocluster-kafka-delayed");
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    @Override
    public void run() {
        while (!closing) {
            Consumer<byte[], byte[]> consumer = null;
            try {
                consumer = consumers.open();
                consumer.subscribe(topics.waiting());
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

    private void turn(Consumer<byte[], byte[]> consumer) {
        resume(consumer);
        consumers.allow(pollBytes);
        List<Moving> moving = move(consumer, consumer.poll(POLL));
        if (!moving.isEmpty()) {
            awaitAll(consumer, moving);
            settle(consumer, moving);
        }
        commit(consumer);
        if (!refused && problem.problem() != null && !consumer.assignment().isEmpty()) {
            problem.clear();
            backoff.reset();
        }
    }

    /** Gives what is due to the publisher, and turns each partition back to what is not. */
    private List<Moving> move(Consumer<?, ?> consumer, ConsumerRecords<byte[], byte[]> read) {
        List<Moving> moving = new ArrayList<>();
        long now = System.currentTimeMillis();
        for (TopicPartition from : read.partitions()) {
            long delay = topics.delay(from.topic()).toMillis();
            for (ConsumerRecord<byte[], byte[]> message : read.records(from)) {
                if (message.timestamp() + delay > now) {
                    pause(consumer, from, message.offset(), message.timestamp() + delay);
                    break;
                }
                ProducerRecord<byte[], byte[]> due =
                        new ProducerRecord<>(topics.due(), null, message.key(), message.value(), message.headers());
                moving.add(new Moving(from, message, publish(message, due)));
            }
        }
        return moving;
    }

    /** Turns a request that is too large for the topic into a dead letter, because it would block those behind it. */
    private CompletableFuture<PublishResult> publish(
            ConsumerRecord<byte[], byte[]> message, ProducerRecord<byte[], byte[]> due) {
        return publisher.apply(due).thenCompose(result -> {
            if (!(result instanceof PublishResult.TooLarge tooLarge)) {
                return CompletableFuture.completedFuture(result);
            }
            LOG.warn(
                    "Delayed request is too large for its topic; it becomes a dead letter record={} topic={} problem={}",
                    KafkaDelivery.coordinates(message),
                    due.topic(),
                    tooLarge.problem());
            return deadLetters.apply(message, DeadLetterReason.delayTooLarge(tooLarge.problem()));
        });
    }

    private void pause(Consumer<?, ?> consumer, TopicPartition partition, long next, long until) {
        consumer.seek(partition, next);
        consumer.pause(List.of(partition));
        pausedUntil.put(partition, until);
    }

    private void resume(Consumer<?, ?> consumer) {
        pausedUntil.keySet().retainAll(consumer.assignment());
        long now = System.currentTimeMillis();
        List<TopicPartition> due = pausedUntil.entrySet().stream()
                .filter(each -> each.getValue() <= now)
                .map(Map.Entry::getKey)
                .toList();
        pausedUntil.keySet().removeAll(due);
        consumer.resume(due);
    }

    /** Waits for the confirmations, for as long as the broker takes, and stays a member of the group. */
    private void awaitAll(Consumer<?, ?> consumer, List<Moving> moving) {
        CompletableFuture<Void> all =
                CompletableFuture.allOf(moving.stream().map(Moving::result).toArray(CompletableFuture[]::new));
        while (!closing) {
            try {
                all.get(CONFIRM_MILLIS, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException notYet) {
                stayMember(consumer);
            } catch (InterruptedException ending) {
                Thread.currentThread().interrupt();
                closing = true;
            } catch (ExecutionException bug) {
                throw new IllegalStateException("a publish fails as a value", bug);
            }
        }
    }

    private void stayMember(Consumer<?, ?> consumer) {
        Set<TopicPartition> paused = new HashSet<>(consumer.assignment());
        consumer.pause(paused);
        ConsumerRecords<?, ?> none = consumer.poll(Duration.ofMillis(1));
        // A partition that was assigned just now was not paused.
        none.partitions()
                .forEach(partition ->
                        consumer.seek(partition, none.records(partition).get(0).offset()));
        paused.retainAll(consumer.assignment());
        paused.removeAll(pausedUntil.keySet());
        consumer.resume(paused);
    }

    /** Notes how far each partition is moved without a gap, and turns back to what is not. */
    private void settle(Consumer<?, ?> consumer, List<Moving> moving) {
        Collection<TopicPartition> assigned = consumer.assignment();
        Set<TopicPartition> stuck = new HashSet<>();
        refused = false;
        for (Moving each : moving) {
            TopicPartition from = each.from();
            if (!assigned.contains(from) || stuck.contains(from)) {
                continue;
            }
            if (each.isConfirmed()) {
                moved.put(from, new OffsetAndMetadata(each.message().offset() + 1));
            } else {
                stuck.add(from);
                refused = true;
                pause(consumer, from, each.message().offset(), System.currentTimeMillis() + AGAIN_MILLIS);
                if (!closing) {
                    problem.raise(
                            "What was put off cannot be brought back: "
                                    + each.result().join(),
                            null);
                }
            }
        }
    }

    private void commit(Consumer<?, ?> consumer) {
        moved.keySet().retainAll(consumer.assignment());
        if (moved.isEmpty()) {
            return;
        }
        try {
            consumer.commitSync(moved, COMMIT_WITHIN);
            moved.clear();
        } catch (CommitFailedException | RebalanceInProgressException changing) {
            LOG.debug("Committed later, or moved twice", changing);
        }
    }

    private void recover(Throwable failure) {
        if (closing) {
            return;
        }
        pausedUntil.clear();
        moved.clear();
        refused = false;
        if (consumers.fallsBackAfter(failure)) {
            return;
        }
        problem.raise("What was put off cannot be read", failure);
        if (!(failure instanceof Exception)) {
            LOG.error("The forwarder goes on after an error", failure);
        }
        backoff.rest(() -> closing);
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
    void close() {
        closing = true;
        LockSupport.unpark(thread);
        try {
            thread.join(2 * CLOSE_WITHIN.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.iocluster.kafka.source;

import io.iocluster.kafka.config.ConsumerFactory;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.ledger.KafkaDelivery;
import io.iocluster.kafka.ledger.KafkaPartition;
import io.iocluster.kafka.ledger.OffsetCommitter;
import io.iocluster.kafka.ledger.PollThreadMailbox;
import io.iocluster.transport.Intake;
import io.iocluster.transport.outage.Backoff;
import io.iocluster.transport.outage.ProblemLog;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of the poll thread, which owns the consumer, the ledgers and the calls to the intake. After a failure it
 * logs, backs off and continues, if necessary with a new consumer. Only {@link #close} ends the thread.
 */
final class PollLoop implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(PollLoop.class);
    private static final Duration IDLE_POLL = Duration.ofMillis(100);
    private static final Duration RECREATE_WITHIN = Duration.ofSeconds(2);
    /** Maximum time between polls while the intake is full. */
    private static final long MAX_POLL_INTERVAL_NANOS = 50_000_000;

    private static final long LANES_POLL_NANOS = 2_000_000;
    private static final long PARK_NANOS = 10_000_000;
    /** Minimum time between wake-ups for capacity, so that a full window does not cause one wake-up for each call. */
    private static final long MIN_WAKE_INTERVAL_NANOS = 500_000;

    private static final long STATUS_NANOS = 100_000_000;
    /** Number of consecutive failures after which the consumer is replaced. */
    private static final int MAX_CONSUMER_FAILURES = 10;

    /** A consumer without partitions is healthy if it has worked this long. */
    private static final long HEALTHY_AFTER_NANOS = Duration.ofSeconds(5).toNanos();

    private final KafkaSettings settings;
    private final ConsumerFactory consumers;
    private final PollThreadMailbox mailbox;
    private final AssignedPartitions assigned;
    private final OffsetCommitter commits;
    private final PartitionRoundRobin roundRobin;
    private final Backoff backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10));
    private final ProblemLog problem;
    private final CompletableFuture<Void> intakeStopped = new CompletableFuture<>();
    private final StatusBoard board;

    private volatile boolean paused;
    private volatile boolean stopping;
    private volatile boolean closing;
    private volatile long closeTimeoutNanos;
    private volatile Consumer<byte[], byte[]> consumer;
    private volatile RebalanceListener rebalance;
    private boolean refused;
    private int failures;
    private long lastPoll;
    private long lastWake;
    private long lastStatus;
    private long opened;

    PollLoop(
            KafkaSettings settings,
            ConsumerFactory consumers,
            PollThreadMailbox mailbox,
            AssignedPartitions assigned,
            Intake intake) {
        this.settings = settings;
        this.problem = ProblemLog.ofBroker(LOG, "not connected yet", settings.bootstrapServers());
        this.consumers = consumers;
        this.mailbox = mailbox;
        this.assigned = assigned;
        this.commits = new OffsetCommitter(settings);
        this.roundRobin = new PartitionRoundRobin(intake);
        this.board = new StatusBoard(assigned, commits, mailbox);
    }

    StatusBoard statusBoard() {
        return board;
    }

    /** Returns why nothing can be read, or null. Any thread. */
    String problem() {
        return problem.problem();
    }

    /** Pauses or resumes offering records. Any thread. */
    void pause(boolean pause) {
        paused = pause;
    }

    /** Stops offering records. The future completes when no more will be offered. Any thread. */
    CompletableFuture<Void> stopIntake() {
        stopping = true;
        return intakeStopped;
    }

    /** Requests that the thread ends within this time. Any thread. */
    void close(Duration timeout) {
        closeTimeoutNanos = timeout.toNanos();
        stopping = true;
        closing = true;
        RebalanceListener current = rebalance;
        if (current != null) {
            current.skipDrain();
        }
    }

    /** Interrupts the consumer, because closing takes too long. Any thread. */
    void wakeup() {
        Consumer<?, ?> current = consumer;
        if (current != null) {
            current.wakeup();
        }
    }

    @Override
    public void run() {
        while (!closing) {
            try {
                open();
                while (!closing) {
                    runOnceOrSeek();
                }
            } catch (Throwable failure) {
                recover(failure);
            }
        }
        shutDown();
    }

    private void open() {
        if (consumer != null) {
            return;
        }
        consumer = consumers.open();
        commits.reset();
        rebalance = new RebalanceListener(
                consumer,
                assigned,
                commits,
                mailbox,
                settings.revokeTimeout(),
                this::settle,
                this::offer,
                this::assignmentChanged);
        opened = System.nanoTime();
        consumer.subscribe(settings.consumedTopics(), rebalance);
    }

    private void assignmentChanged() {
        roundRobin.setPartitions(assigned.all());
    }

    private void runOnceOrSeek() {
        try {
            runOnce();
        } catch (InvalidOffsetException invalid) {
            assigned.resetInvalidPositions(consumer, invalid);
        }
    }

    private void runOnce() {
        long now = System.nanoTime();
        settle(now);
        assigned.rewindReleased(consumer, now);
        boolean stopped = stopping;
        offer(now);
        if (stopped) {
            intakeStopped.complete(null);
        }
        if (assigned.restartRecreatedTopics(consumer)) {
            assignmentChanged();
        }
        assigned.startPartitions(consumer);
        assigned.updatePaused(consumer, stopped);
        commits.commitIfDue(consumer, assigned.all(), now);
        showStatus(now);
        if (refused && now - lastPoll < MAX_POLL_INTERVAL_NANOS) {
            awaitCapacity();
        } else if (!refused && assigned.hasBusyLanes() && now - lastPoll < LANES_POLL_NANOS) {
            mailbox.expectSettlements();
            mailbox.park(LANES_POLL_NANOS);
        } else {
            poll(refused || assigned.hasBusyLanes() ? Duration.ZERO : IDLE_POLL);
        }
    }

    private void offer(long now) {
        refused = !stopping && !paused && roundRobin.offerBuffered(now);
    }

    private void poll(Duration timeout) {
        ConsumerRecords<byte[], byte[]> records = consumers.poll(consumer, timeout, assigned.freeBytes());
        KafkaPartition[] before = assigned.all();
        assigned.buffer(consumer, records);
        if (assigned.all() != before) {
            roundRobin.setPartitions(assigned.all());
        }
        lastPoll = System.nanoTime();
        if (problem.problem() != null && (assigned.all().length > 0 || lastPoll - opened > HEALTHY_AFTER_NANOS)) {
            problem.clear();
            backoff.reset();
            failures = 0;
        }
    }

    private void awaitCapacity() {
        if (System.nanoTime() - lastWake < MIN_WAKE_INTERVAL_NANOS) {
            mailbox.park(MIN_WAKE_INTERVAL_NANOS);
            lastWake = System.nanoTime();
            // While calls end this often, there is capacity after the pause, and no call has to wake this thread.
            if (!offerAgain() || roundRobin.hasAccepted()) {
                return;
            }
        }
        mailbox.expectCapacity();
        if (assigned.hasBusyLanes()) {
            mailbox.expectSettlements();
        }
        if (offerAgain()) {
            mailbox.park(PARK_NANOS);
        }
        lastWake = System.nanoTime();
    }

    /** Offers records, and returns whether the intake still refuses one. */
    private boolean offerAgain() {
        return !paused && !stopping && roundRobin.offerBuffered(System.nanoTime());
    }

    private void settle(long now) {
        KafkaDelivery delivery = mailbox.poll();
        while (delivery != null) {
            commits.recordSettled();
            assigned.settle(delivery, now);
            delivery = mailbox.poll();
        }
    }

    private void showStatus(long now) {
        if (now - lastStatus >= STATUS_NANOS) {
            lastStatus = now;
            board.update(refused);
        }
    }

    private void recover(Throwable failure) {
        if (closing) {
            return;
        }
        failures++;
        if (failure instanceof RetriableException && consumer != null && failures < MAX_CONSUMER_FAILURES) {
            problem.raise("Reading from the broker failed", failure);
            backOff();
            return;
        }
        if (consumers.fallBackAfter(failure)) {
            closeConsumer();
            return;
        }
        problem.raise("Reading from the broker failed", failure);
        if (!(failure instanceof Exception)) {
            LOG.error("Error in the poll thread; it continues with a new consumer", failure);
        }
        closeConsumer();
        failures = 0;
        backOff();
    }

    /**
     * Commits if possible and closes the consumer. Calls in flight continue, and are joined when their records are read
     * again.
     */
    private void closeConsumer() {
        Consumer<byte[], byte[]> old = consumer;
        if (old == null) {
            return;
        }
        try {
            settle(System.nanoTime());
            commits.commitSync(old, Arrays.asList(assigned.all()), RECREATE_WITHIN);
        } catch (RuntimeException | Error e) {
            LOG.debug("Offset commit failed; uncommitted records will be redelivered", e);
        }
        rebalance.dropAll();
        consumer = null;
        closeQuietly(old, CloseOptions.timeout(RECREATE_WITHIN));
    }

    private void backOff() {
        long start = System.nanoTime();
        long wait = backoff.nextDelayNanos();
        while (!closing && System.nanoTime() - start < wait) {
            settle(System.nanoTime());
            if (stopping) {
                intakeStopped.complete(null);
            }
            showStatus(System.nanoTime());
            mailbox.park(PARK_NANOS);
        }
    }

    private void shutDown() {
        long start = System.nanoTime();
        intakeStopped.complete(null);
        Consumer<byte[], byte[]> last = consumer;
        if (last != null) {
            try {
                settle(start);
                Duration half = Duration.ofNanos(Math.max(1, closeTimeoutNanos / 2));
                commits.commitSync(last, Arrays.asList(assigned.all()), half);
            } catch (RuntimeException | Error e) {
                LOG.warn("Last offset commit failed; uncommitted records will be redelivered", e);
            }
            rebalance.dropAll();
            long remaining = closeTimeoutNanos - (System.nanoTime() - start);
            // Without this, a member with a group.instance.id keeps its partitions until its session times out.
            closeQuietly(
                    last,
                    CloseOptions.timeout(Duration.ofNanos(Math.max(1, remaining)))
                            .withGroupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP));
            consumer = null;
        }
        board.update(false);
    }

    private static void closeQuietly(Consumer<?, ?> consumer, CloseOptions how) {
        try {
            consumer.close(how);
        } catch (RuntimeException | Error e) {
            LOG.debug("Consumer did not close cleanly", e);
        }
    }
}

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
 * The poll thread's work: it alone touches the consumer, the ledgers and the intake. Whatever goes wrong is logged, waited
 * out and begun anew with another consumer; nothing ends the thread but {@link #close}.
 */
final class PollLoop implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(PollLoop.class);
    private static final Duration IDLE_POLL = Duration.ofMillis(100);
    private static final Duration RECREATE_WITHIN = Duration.ofSeconds(2);
    private static final long POLL_AT_LEAST_NANOS = 50_000_000;
    private static final long LANES_POLL_NANOS = 2_000_000;
    private static final long PARK_NANOS = 10_000_000;
    /** Wakes for room come no closer than this, so that a full window is not a wake for each call. */
    private static final long NAP_NANOS = 500_000;

    private static final long STATUS_NANOS = 100_000_000;
    /** So often in a row a failure is tried again with the same consumer. */
    private static final int GIVE_UP_CONSUMER = 10;

    private static final long CALM_NANOS = Duration.ofSeconds(5).toNanos();

    private final KafkaSettings settings;
    private final ConsumerFactory consumers;
    private final PollThreadMailbox mailbox;
    private final AssignedPartitions assigned;
    private final OffsetCommitter commits;
    private final PartitionRoundRobin handOver;
    private final Backoff backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10));
    private final ProblemLog problem = new ProblemLog(LOG, "not connected yet");
    private final CompletableFuture<Void> intakeStopped = new CompletableFuture<>();
    private final StatusBoard board;

    private volatile boolean paused;
    private volatile boolean stopping;
    private volatile boolean closing;
    private volatile long closeWithinNanos;
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
        this.consumers = consumers;
        this.mailbox = mailbox;
        this.assigned = assigned;
        this.commits = new OffsetCommitter(settings);
        this.handOver = new PartitionRoundRobin(intake);
        this.board = new StatusBoard(assigned, commits, mailbox);
    }

    StatusBoard statusBoard() {
        return board;
    }

    /** What keeps it from reading, or null. */
    String problem() {
        return problem.problem();
    }

    void pause(boolean pause) {
        paused = pause;
    }

    boolean isPaused() {
        return paused;
    }

    boolean isStopping() {
        return stopping;
    }

    CompletableFuture<Void> stopIntake() {
        stopping = true;
        return intakeStopped;
    }

    /** Asks the thread to end within the time. Any thread. */
    void close(Duration within) {
        closeWithinNanos = within.toNanos();
        stopping = true;
        closing = true;
        RebalanceListener current = rebalance;
        if (current != null) {
            current.skipDrain();
        }
    }

    /** The close took too long: whatever the consumer waits for ends now. */
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
                    turnOrRelocate();
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
                this::handOver,
                this::assignmentChanged);
        opened = System.nanoTime();
        consumer.subscribe(settings.consumedTopics(), rebalance);
    }

    private void assignmentChanged() {
        handOver.setPartitions(assigned.all());
    }

    private void turnOrRelocate() {
        try {
            turn();
        } catch (InvalidOffsetException invalid) {
            assigned.resetInvalidPositions(consumer, invalid);
        }
    }

    private void turn() {
        long now = System.nanoTime();
        settle(now);
        assigned.rewindReleased(consumer, now);
        boolean stopped = stopping;
        handOver(now);
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
        if (refused && now - lastPoll < POLL_AT_LEAST_NANOS) {
            awaitRoom();
        } else if (!refused && assigned.hasBusyLanes() && now - lastPoll < LANES_POLL_NANOS) {
            mailbox.expectSettlements();
            mailbox.park(LANES_POLL_NANOS);
        } else {
            poll(refused || assigned.hasBusyLanes() ? Duration.ZERO : IDLE_POLL);
        }
    }

    private void handOver(long now) {
        refused = !stopping && !paused && handOver.offerBuffered(now);
    }

    private void poll(Duration timeout) {
        consumers.setPollBudget(assigned.freeBytes());
        ConsumerRecords<byte[], byte[]> records = consumer.poll(timeout);
        KafkaPartition[] before = assigned.all();
        assigned.buffer(consumer, records);
        if (assigned.all() != before) {
            handOver.setPartitions(assigned.all());
        }
        lastPoll = System.nanoTime();
        if (problem.problem() != null && (assigned.all().length > 0 || lastPoll - opened > CALM_NANOS)) {
            problem.clear();
            backoff.reset();
            failures = 0;
        }
    }

    private void awaitRoom() {
        if (System.nanoTime() - lastWake < NAP_NANOS) {
            mailbox.park(NAP_NANOS);
        }
        mailbox.expectCapacity();
        if (assigned.hasBusyLanes()) {
            mailbox.expectSettlements();
        }
        if (!paused && !stopping && handOver.offerBuffered(System.nanoTime())) {
            mailbox.park(PARK_NANOS);
        }
        lastWake = System.nanoTime();
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
        if (failure instanceof RetriableException && consumer != null && failures < GIVE_UP_CONSUMER) {
            problem.raise("The broker cannot be read from", failure);
            rest();
            return;
        }
        if (consumers.fallBackAfter(failure)) {
            abandon();
            return;
        }
        problem.raise("The broker cannot be read from", failure);
        if (!(failure instanceof Exception)) {
            LOG.error("The poll thread goes on after an error", failure);
        }
        abandon();
        failures = 0;
        rest();
    }

    /** Saves what can be saved and lets go of the consumer; calls in flight are joined when their records come back. */
    private void abandon() {
        Consumer<byte[], byte[]> old = consumer;
        if (old == null) {
            return;
        }
        try {
            settle(System.nanoTime());
            commits.commitSync(old, Arrays.asList(assigned.all()), RECREATE_WITHIN);
        } catch (RuntimeException e) {
            LOG.debug("What was settled last is repeated", e);
        }
        rebalance.dropAll();
        consumer = null;
        closeQuietly(old, CloseOptions.timeout(RECREATE_WITHIN));
    }

    private void rest() {
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
                Duration half = Duration.ofNanos(Math.max(1, closeWithinNanos / 2));
                commits.commitSync(last, Arrays.asList(assigned.all()), half);
            } catch (RuntimeException e) {
                LOG.warn("The last positions are not committed; what was settled last is repeated", e);
            }
            rebalance.dropAll();
            long left = closeWithinNanos - (System.nanoTime() - start);
            // A member with a group.instance.id would otherwise keep its partitions until its session ends.
            closeQuietly(
                    last,
                    CloseOptions.timeout(Duration.ofNanos(Math.max(1, left)))
                            .withGroupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP));
            consumer = null;
        }
        board.update(false);
    }

    private static void closeQuietly(Consumer<?, ?> consumer, CloseOptions how) {
        try {
            consumer.close(how);
        } catch (RuntimeException e) {
            LOG.debug("The consumer did not close cleanly", e);
        }
    }
}

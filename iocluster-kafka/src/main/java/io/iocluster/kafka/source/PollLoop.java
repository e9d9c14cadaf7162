package io.iocluster.kafka.source;

import io.iocluster.kafka.config.ConsumerFactory;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.ledger.KafkaPartition;
import io.iocluster.kafka.ledger.OffsetCommitter;
import io.iocluster.kafka.ledger.OffsetDelivery;
import io.iocluster.kafka.ledger.PollThreadMailbox;
import io.iocluster.kafka.loop.SourceLoop;
import io.iocluster.thread.Platform;
import io.iocluster.transport.Intake;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.SourceStatus;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of a member of a consumer group. The poll thread owns the consumer and the ledgers. After a failure it
 * continues, if necessary with a new consumer.
 */
final class PollLoop extends SourceLoop {

    private static final Logger LOG = LoggerFactory.getLogger(PollLoop.class);
    private static final Duration IDLE_POLL = Duration.ofMillis(100);
    private static final Duration RECREATE_WITHIN = Duration.ofSeconds(2);
    /** Maximum time between polls while the intake is full. */
    private static final long MAX_POLL_INTERVAL_NANOS = 50_000_000;

    private static final long LANES_POLL_NANOS = 2_000_000;
    /** Number of consecutive failures after which the consumer is replaced. */
    private static final int MAX_CONSUMER_FAILURES = 10;

    /** A consumer without partitions is healthy if it has worked this long. */
    private static final long HEALTHY_AFTER_NANOS = Duration.ofSeconds(5).toNanos();

    private final KafkaSettings settings;
    private final ConsumerFactory consumers;
    private final PollThreadMailbox<OffsetDelivery> mailbox;
    private final AssignedPartitions assigned;
    private final OffsetCommitter commits;
    private final PartitionRoundRobin roundRobin;
    private final EndOffsetMonitor ends;
    private final StatusBoard board;

    private volatile Consumer<byte[], byte[]> consumer;
    private volatile RebalanceListener rebalance;
    private int failures;
    private long lastPoll;
    private long opened;

    PollLoop(
            KafkaSettings settings,
            ConsumerFactory consumers,
            PollThreadMailbox<OffsetDelivery> mailbox,
            AssignedPartitions assigned,
            EndOffsetMonitor ends,
            Intake intake,
            Platform platform) {
        super(LOG, mailbox, settings.bootstrapServers(), platform);
        this.settings = settings;
        this.ends = ends;
        this.consumers = consumers;
        this.mailbox = mailbox;
        this.assigned = assigned;
        this.commits = new OffsetCommitter(settings, platform);
        this.roundRobin = new PartitionRoundRobin(intake);
        this.board = new StatusBoard(assigned, commits, mailbox, platform);
    }

    @Override
    public void startMonitor() {
        ends.start(assigned::all);
    }

    @Override
    public void closeMonitor() {
        ends.close();
    }

    @Override
    public SourceStatus status(Set<PauseReason> reasons) {
        return board.status(reasons, problem() != null ? problem() : ends.problem(), ends);
    }

    @Override
    public void close(Duration timeout) {
        super.close(timeout);
        RebalanceListener current = rebalance;
        if (current != null) {
            current.skipDrain();
        }
    }

    @Override
    public void wakeup() {
        Consumer<?, ?> current = consumer;
        if (current != null) {
            current.wakeup();
        }
    }

    @Override
    protected void open() {
        if (consumer != null) {
            return;
        }
        consumer = consumers.open();
        commits.reset();
        rebalance = new RebalanceListener(consumer, assigned, commits, settings.revokeTimeout(), new Drain());
        opened = nanos();
        lastPoll = opened;
        consumer.subscribe(settings.consumedTopics(), rebalance);
    }

    private void assignmentChanged() {
        roundRobin.setPartitions(assigned.all());
    }

    /** What the poll thread does during a rebalance. */
    private final class Drain implements RebalanceListener.PollThread {

        @Override
        public long nanos() {
            return PollLoop.this.nanos();
        }

        @Override
        public void settle() {
            PollLoop.this.settle(nanos());
        }

        @Override
        public void offerAndAwait(long maxNanos) {
            offer(nanos());
            mailbox.expectCapacity();
            mailbox.expectSettlements();
            await(maxNanos);
        }

        @Override
        public void assignmentChanged() {
            PollLoop.this.assignmentChanged();
        }
    }

    @Override
    protected long runOnce() {
        try {
            return settleOfferAndPoll();
        } catch (InvalidOffsetException invalid) {
            assigned.resetInvalidPositions(consumer, invalid);
            return 0;
        }
    }

    private long settleOfferAndPoll() {
        long now = nanos();
        settle(now);
        assigned.rewindReleased(consumer, now);
        boolean stopped = isStopping();
        offer(now);
        if (stopped) {
            reportIntakeStopped();
        }
        if (assigned.restartRecreatedTopics(consumer)) {
            assignmentChanged();
        }
        assigned.startPartitions(consumer);
        assigned.updatePaused(consumer, stopped);
        commits.commitIfDue(consumer, assigned.all(), now);
        showStatus(now);
        if (isRefused() && now - lastPoll < MAX_POLL_INTERVAL_NANOS) {
            return awaitCapacity();
        }
        if (!isRefused() && assigned.hasBusyLanes() && now - lastPoll < LANES_POLL_NANOS) {
            mailbox.expectSettlements();
            return LANES_POLL_NANOS;
        }
        poll(isRefused() || assigned.hasBusyLanes() ? Duration.ZERO : IDLE_POLL);
        return 0;
    }

    @Override
    protected boolean offerBuffered(long now) {
        return roundRobin.offerBuffered(now);
    }

    @Override
    protected boolean hasAccepted() {
        return roundRobin.hasAccepted();
    }

    @Override
    protected boolean awaitsSettlements() {
        return assigned.hasBusyLanes();
    }

    private void poll(Duration timeout) {
        ConsumerRecords<byte[], byte[]> records = consumers.poll(consumer, timeout, assigned.freeBytes());
        KafkaPartition[] before = assigned.all();
        assigned.buffer(consumer, records);
        if (assigned.all() != before) {
            roundRobin.setPartitions(assigned.all());
        }
        lastPoll = nanos();
        if (hasProblem() && (assigned.all().length > 0 || lastPoll - opened > HEALTHY_AFTER_NANOS)) {
            reportHealthy();
            failures = 0;
        }
    }

    @Override
    protected void settle(long now) {
        OffsetDelivery delivery = mailbox.poll();
        while (delivery != null) {
            commits.recordSettled();
            assigned.settle(delivery, now);
            delivery = mailbox.poll();
        }
    }

    @Override
    protected void updateStatus(boolean isRefused) {
        board.update(isRefused);
    }

    @Override
    protected void recover(Throwable failure) {
        failures++;
        if (failure instanceof RetriableException && consumer != null && failures < MAX_CONSUMER_FAILURES) {
            raise(failure);
            backOff();
            return;
        }
        if (consumers.fallBackAfter(failure)) {
            closeConsumer();
            return;
        }
        raise(failure);
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
            settle(nanos());
            commits.commitSync(old, Arrays.asList(assigned.all()), RECREATE_WITHIN);
        } catch (RuntimeException | Error e) {
            LOG.debug("Offset commit failed; uncommitted records will be redelivered", e);
        }
        rebalance.dropAll();
        consumer = null;
        closeQuietly(old, CloseOptions.timeout(RECREATE_WITHIN));
    }

    @Override
    protected void shutDown(Duration timeout) {
        long start = nanos();
        Consumer<byte[], byte[]> last = consumer;
        if (last != null) {
            try {
                commitLast(last, start + timeout.toNanos() / 2);
            } catch (RuntimeException | Error e) {
                LOG.warn("Last offset commit failed; uncommitted records will be redelivered", e);
            }
            rebalance.dropAll();
            long remaining = timeout.toNanos() - (nanos() - start);
            // Without this, a member with a group.instance.id keeps its partitions until its session times out.
            closeQuietly(
                    last,
                    CloseOptions.timeout(Duration.ofNanos(Math.max(1, remaining)))
                            .withGroupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP));
            consumer = null;
        }
    }

    /**
     * Commits what is settled, until a time. Completes a rebalance first, because the group accepts no commit before. What the polls for it
     * return is dropped: it is not settled, so another member reads it.
     */
    private void commitLast(Consumer<byte[], byte[]> last, long end) {
        settle(nanos());
        boolean rebalancing = !commits.commitSync(last, Arrays.asList(assigned.all()), until(end));
        while (rebalancing && end - nanos() > 0) {
            assigned.updatePaused(last, true);
            last.poll(IDLE_POLL);
            settle(nanos());
            rebalancing = !commits.commitSync(last, Arrays.asList(assigned.all()), until(end));
        }
    }

    private Duration until(long end) {
        return Duration.ofNanos(Math.max(1, end - nanos()));
    }

    private static void closeQuietly(Consumer<?, ?> consumer, CloseOptions how) {
        try {
            consumer.close(how);
        } catch (RuntimeException | Error e) {
            LOG.debug("Consumer did not close cleanly", e);
        }
    }
}

package io.iocluster.kafka.source;

import io.iocluster.kafka.delay.DelayedRetryForwarder;
import io.iocluster.kafka.ledger.KafkaPartition;
import io.iocluster.kafka.ledger.PollThreadMailbox;
import io.iocluster.thread.DaemonThreadFactory;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.SourceStatus.Lag;
import io.iocluster.transport.source.RunningSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the poll thread of a source, its monitor of end offsets and its forwarder of delayed retries. Thread-safe. */
final class RunningKafkaSource implements RunningSource {

    private static final Logger LOG = LoggerFactory.getLogger(RunningKafkaSource.class);

    private final PollLoop loop;
    private final PollThreadMailbox mailbox;
    private final AssignedPartitions assigned;
    private final EndOffsetMonitor ends;
    private final DelayedRetryForwarder forwarder;
    private final Thread thread;

    /** @param forwarder null if delayed retries are disabled */
    RunningKafkaSource(
            PollLoop loop,
            PollThreadMailbox mailbox,
            AssignedPartitions assigned,
            EndOffsetMonitor ends,
            DelayedRetryForwarder forwarder) {
        this.loop = loop;
        this.mailbox = mailbox;
        this.assigned = assigned;
        this.ends = ends;
        this.forwarder = forwarder;
        this.thread = DaemonThreadFactory.newThread("iocluster-kafka-poll", loop);
    }

    @Override
    public void start() {
        thread.start();
        ends.start(assigned::all);
        if (forwarder != null) {
            forwarder.start();
        }
    }

    @Override
    public void pause(boolean pause) {
        loop.pause(pause);
    }

    @Override
    public void capacityAvailable() {
        mailbox.capacityAvailable();
    }

    @Override
    public CompletionStage<Void> stopIntake() {
        return loop.stopIntake();
    }

    @Override
    public SourceStatus status(Set<PauseReason> reasons) {
        StatusBoard.StatusSnapshot snapshot = loop.statusBoard().snapshot();
        Set<PauseReason> all = new HashSet<>(reasons);
        all.addAll(snapshot.reasons());
        String problem = loop.problem() != null ? loop.problem() : ends.problem();
        return new SourceStatus(
                problem == null,
                problem,
                all,
                snapshot.buffered(),
                lags(snapshot, ends.isStale()),
                loop.statusBoard().duplicateSettlements(),
                snapshot.redelivered(),
                snapshot.unreadableCommitMetadata(),
                snapshot.truncatedCommitMetadata());
    }

    private static List<Lag> lags(StatusBoard.StatusSnapshot snapshot, boolean stale) {
        long now = System.currentTimeMillis();
        long nowNanos = System.nanoTime();
        List<Lag> lags = new ArrayList<>(snapshot.partitions().size());
        for (StatusBoard.PartitionStatus status : snapshot.partitions()) {
            KafkaPartition partition = status.partition();
            long since = partition.openTransactionSince;
            lags.add(new Lag(
                    partition.id().topic(),
                    partition.id().partition(),
                    status.backlog(),
                    0,
                    status.oldestAgeMillis(now, nowNanos),
                    since == 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(nowNanos - since),
                    stale));
        }
        return lags;
    }

    @Override
    public void close(Duration timeout) {
        loop.close(timeout);
        if (forwarder != null) {
            forwarder.close();
        }
        ends.close();
        try {
            thread.join(Math.max(1, timeout.toMillis()));
            if (thread.isAlive()) {
                LOG.warn("Consumer did not leave the group in time; interrupting it timeout={}", timeout);
                loop.wakeup();
                thread.join(1_000);
            }
        } catch (InterruptedException e) {
            loop.wakeup();
            Thread.currentThread().interrupt();
        }
    }
}

package io.iocluster.kafka.source;

import io.iocluster.kafka.config.ClientProperties;
import io.iocluster.kafka.config.ConsumerFactory;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaTopicAdmin;
import io.iocluster.kafka.delay.DelayedRetryForwarder;
import io.iocluster.kafka.ledger.KafkaPartition;
import io.iocluster.kafka.ledger.PollThreadMailbox;
import io.iocluster.thread.DaemonThreadFactory;
import io.iocluster.transport.Intake;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.SourceStatus.Lag;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads requests as a member of a consumer group. Thread-safe. The work happens on the poll thread, in
 * {@link PollLoop}.
 */
public final class KafkaSource implements RequestSource {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaSource.class);
    private static final String NOT_STARTED = "not started";

    private final KafkaSettings settings;
    private final ClientProperties properties;
    private final KafkaTopicAdmin topics;
    private final DelayedRetryForwarder forwarder;
    private final PollThreadMailbox mailbox = new PollThreadMailbox();

    private volatile Running running;
    private volatile boolean paused;
    private boolean stopped;
    private boolean closed;

    private record Running(PollLoop loop, EndOffsetMonitor ends, Thread thread) {}

    /**
     * Creates a source that is not started.
     *
     * @param forwarder moves delayed retries while the source runs; null if delayed retries are disabled
     */
    public KafkaSource(
            KafkaSettings settings,
            ClientProperties properties,
            KafkaTopicAdmin topics,
            DelayedRetryForwarder forwarder) {
        this.settings = settings;
        this.properties = properties;
        this.topics = topics;
        this.forwarder = forwarder;
    }

    @Override
    public synchronized void start(Intake intake) {
        if (running != null || closed) {
            throw new IllegalStateException("the source was already started or is closed");
        }
        EndOffsetMonitor ends = new EndOffsetMonitor(settings, properties);
        AssignedPartitions assigned = new AssignedPartitions(settings, mailbox, ends);
        ConsumerFactory consumers = new ConsumerFactory(
                "source",
                properties,
                topics,
                properties::consumer,
                settings.requests().maxMessageSize().bytes());
        PollLoop loop = new PollLoop(settings, consumers, mailbox, assigned, intake);
        loop.pause(paused);
        if (stopped) {
            loop.stopIntake();
        }
        Thread thread = DaemonThreadFactory.newThread("iocluster-kafka-poll", loop);
        running = new Running(loop, ends, thread);
        thread.start();
        ends.start(assigned::all);
        if (forwarder != null) {
            forwarder.start();
        }
    }

    @Override
    public void capacityAvailable() {
        mailbox.capacityAvailable();
    }

    @Override
    public void pause() {
        setPaused(true);
    }

    @Override
    public void resume() {
        setPaused(false);
    }

    private synchronized void setPaused(boolean pause) {
        paused = pause;
        if (running != null) {
            running.loop().pause(pause);
        }
    }

    @Override
    public synchronized CompletionStage<Void> stopIntake() {
        stopped = true;
        return running == null
                ? CompletableFuture.completedFuture(null)
                : running.loop().stopIntake();
    }

    @Override
    public SourceStatus status() {
        Running now = running;
        if (now == null) {
            Set<PauseReason> reasons = paused ? Set.of(PauseReason.OPERATOR) : Set.of();
            return new SourceStatus(false, NOT_STARTED, reasons, 0, List.of(), 0, 0);
        }
        StatusBoard.StatusSnapshot snapshot = now.loop().statusBoard().snapshot();
        Set<PauseReason> reasons = new HashSet<>(snapshot.reasons());
        if (paused) {
            reasons.add(PauseReason.OPERATOR);
        }
        if (now.loop().isStopping()) {
            reasons.add(PauseReason.DRAIN);
        }
        String problem =
                now.loop().problem() != null ? now.loop().problem() : now.ends().problem();
        return new SourceStatus(
                problem == null,
                problem,
                reasons,
                snapshot.buffered(),
                lags(snapshot, now.ends().isStale()),
                now.loop().statusBoard().duplicateSettlements(),
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
        Running now;
        synchronized (this) {
            closed = true;
            now = running;
        }
        if (now == null) {
            return;
        }
        now.loop().close(timeout);
        if (forwarder != null) {
            forwarder.close();
        }
        now.ends().close();
        try {
            now.thread().join(Math.max(1, timeout.toMillis()));
            if (now.thread().isAlive()) {
                LOG.warn("Consumer did not leave the group in time; interrupting it timeout={}", timeout);
                now.loop().wakeup();
                now.thread().join(1_000);
            }
        } catch (InterruptedException e) {
            now.loop().wakeup();
            Thread.currentThread().interrupt();
        }
    }
}

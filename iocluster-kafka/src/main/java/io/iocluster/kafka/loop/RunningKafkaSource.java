package io.iocluster.kafka.loop;

import io.iocluster.kafka.delay.DelayedRetryForwarder;
import io.iocluster.kafka.ledger.PollThreadMailbox;
import io.iocluster.thread.NodeClock;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.source.RunningSource;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the poll thread of a source, its monitor of the lag and its forwarder of delayed retries. Thread-safe. */
public final class RunningKafkaSource implements RunningSource {

    private static final Logger LOG = LoggerFactory.getLogger(RunningKafkaSource.class);

    /** How long to wait for the end of the poll thread after it was interrupted. */
    private static final Duration INTERRUPTED_WITHIN = Duration.ofSeconds(1);

    private final SourceLoop loop;
    private final PollThreadMailbox<?> mailbox;
    private final DelayedRetryForwarder forwarder;
    private final NodeClock clock;

    /**
     * Creates a source that is not started.
     *
     * @param mailbox wakes the poll thread
     * @param forwarder null if delayed retries are disabled
     */
    public RunningKafkaSource(
            SourceLoop loop, PollThreadMailbox<?> mailbox, DelayedRetryForwarder forwarder, NodeClock clock) {
        this.loop = loop;
        this.mailbox = mailbox;
        this.forwarder = forwarder;
        this.clock = clock;
    }

    @Override
    public void start() {
        loop.start();
        loop.startMonitor();
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
        return loop.status(reasons);
    }

    @Override
    public void close(Duration timeout) {
        long start = clock.nanos();
        loop.close(timeout);
        if (forwarder != null) {
            // The rest is for the consumer of requests, which closes at the same time.
            forwarder.close(timeout.dividedBy(2));
        }
        loop.closeMonitor();
        if (!loop.join(timeout.minusNanos(clock.nanos() - start))) {
            LOG.warn("Consumer did not leave the group in time; interrupting it timeout={}", timeout);
            loop.wakeup();
            loop.join(INTERRUPTED_WITHIN);
        }
    }
}

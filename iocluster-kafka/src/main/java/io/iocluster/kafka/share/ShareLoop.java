package io.iocluster.kafka.share;

import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.ShareConsumerFactory;
import io.iocluster.kafka.config.ShareGroupAdmin;
import io.iocluster.kafka.config.ShareGroupRules;
import io.iocluster.kafka.ledger.PollThreadMailbox;
import io.iocluster.kafka.loop.GuardedIntake;
import io.iocluster.kafka.loop.SourceLoop;
import io.iocluster.thread.Platform;
import io.iocluster.transport.Intake;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.outage.ProblemLog;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.TopicIdPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of a source that reads as a share group. The poll thread offers what the {@link ShareMember members} have
 * read; each member has its own thread, because a member without messages waits in its poll.
 */
final class ShareLoop extends SourceLoop {

    private static final Logger LOG = LoggerFactory.getLogger(ShareLoop.class);
    private static final long IDLE_PARK_NANOS = 50_000_000;

    private final KafkaSettings settings;
    private final Platform platform;
    private final ShareConsumerFactory consumers;
    private final ShareGroupAdmin group;
    private final PollThreadMailbox<ShareDelivery> fetched;
    private final ShareLagMonitor lag;
    private final Intake intake;
    private final ArrayDeque<ShareDelivery> buffer = new ArrayDeque<>();
    private final List<ShareMember> members = new ArrayList<>();
    private final ProblemLog memberProblem;
    private final ProblemLog acknowledgementProblem;
    private final AtomicLong unofferedBytes = new AtomicLong();
    private final LongAdder redelivered = new LongAdder();
    private final LongAdder failedAcknowledgements = new LongAdder();
    private final AtomicIntegerArray retrying;
    private boolean accepted;
    private volatile boolean started;
    private volatile int buffered;
    private volatile Set<PauseReason> reasons = Set.of();
    private volatile Duration closeTimeout = Duration.ZERO;

    /** @param fetched receives what the members have read */
    ShareLoop(
            KafkaSettings settings,
            ShareConsumerFactory consumers,
            ShareGroupAdmin group,
            PollThreadMailbox<ShareDelivery> fetched,
            ShareLagMonitor lag,
            Intake intake,
            Platform platform) {
        super(LOG, fetched, settings.bootstrapServers(), platform);
        this.platform = platform;
        this.settings = settings;
        this.consumers = consumers;
        this.group = group;
        this.fetched = fetched;
        this.lag = lag;
        this.intake = new GuardedIntake(intake);
        this.memberProblem = ProblemLog.ofBroker(LOG, null, settings.bootstrapServers(), platform);
        this.acknowledgementProblem = ProblemLog.ofBroker(LOG, null, settings.bootstrapServers(), platform);
        this.retrying = new AtomicIntegerArray(settings.requests().shareConsumers());
    }

    @Override
    protected void open() {
        if (started) {
            return;
        }
        consumers.prepareTopics();
        ShareGroupRules rules = group.prepare();
        for (int number = 0; number < settings.requests().shareConsumers(); number++) {
            members.add(new ShareMember(number, settings, consumers, rules, this, platform));
        }
        members.forEach(ShareMember::start);
        started = true;
        reportHealthy();
    }

    @Override
    protected long runOnce() {
        long now = nanos();
        boolean stopped = isStopping();
        settle(now);
        if (!isReading()) {
            withdrawAll();
        }
        offer(now);
        if (stopped) {
            reportIntakeStopped();
        }
        showStatus(now);
        if (hasProblem()) {
            reportHealthy();
        }
        if (isRefused()) {
            return awaitCapacity();
        }
        fetched.expectSettlements();
        return IDLE_PARK_NANOS;
    }

    @Override
    protected void recover(Throwable failure) {
        raise(failure);
        if (!(failure instanceof Exception)) {
            LOG.error("Error in the poll thread; it continues", failure);
        }
        backOff();
    }

    /** Takes over what the members have read. */
    @Override
    protected void settle(long now) {
        for (ShareDelivery delivery = fetched.poll(); delivery != null; delivery = fetched.poll()) {
            buffer.add(delivery);
            if (delivery.isRedelivered()) {
                redelivered.increment();
            }
        }
        buffered = buffer.size();
    }

    @Override
    protected boolean offerBuffered(long now) {
        accepted = false;
        try {
            for (ShareDelivery next = buffer.peek(); next != null; next = buffer.peek()) {
                if (!intake.offer(next)) {
                    return true;
                }
                accepted = true;
                buffer.poll();
                unofferedBytes.addAndGet(-next.heldBytes());
            }
            return false;
        } finally {
            buffered = buffer.size();
        }
    }

    @Override
    protected boolean hasAccepted() {
        return accepted;
    }

    private void withdrawAll() {
        for (ShareDelivery next = buffer.poll(); next != null; next = buffer.poll()) {
            unofferedBytes.addAndGet(-next.heldBytes());
            next.withdraw();
        }
        buffered = 0;
    }

    @Override
    protected void updateStatus(boolean isRefused) {
        Set<PauseReason> now = new HashSet<>();
        if (isRefused) {
            now.add(PauseReason.BACKPRESSURE);
        }
        if (unofferedBytes.get() >= settings.bufferBytes().bytes()) {
            now.add(PauseReason.BUFFER_FULL);
        }
        for (int i = 0; i < retrying.length(); i++) {
            if (retrying.get(i) != 0) {
                now.add(PauseReason.BACKOFF);
            }
        }
        reasons = Set.copyOf(now);
    }

    @Override
    protected void shutDown(Duration timeout) {
        settle(nanos());
        withdrawAll();
        long end = nanos() + timeout.toNanos();
        for (ShareMember member : members) {
            if (!member.join(Duration.ofNanos(Math.max(1, end - nanos())))) {
                member.wakeup();
            }
        }
    }

    @Override
    public void close(Duration timeout) {
        closeTimeout = timeout;
        super.close(timeout);
    }

    @Override
    public void wakeup() {
        if (started) {
            members.forEach(ShareMember::wakeup);
        }
    }

    @Override
    public void startMonitor() {
        lag.start();
    }

    @Override
    public void closeMonitor() {
        lag.close();
    }

    @Override
    public SourceStatus status(Set<PauseReason> given) {
        Set<PauseReason> all = new HashSet<>(given);
        all.addAll(reasons);
        String problem = problem();
        if (problem == null) {
            problem = memberProblem.problem() != null ? memberProblem.problem() : lag.problem();
        }
        return new SourceStatus(
                problem == null,
                problem,
                all,
                buffered,
                lag.lags(),
                fetched.duplicateSettlements(),
                redelivered.sum(),
                0,
                0,
                failedAcknowledgements.sum(),
                lag.unansweredMillis());
    }

    /** Returns whether members read. Any thread. */
    boolean isReading() {
        return !isPaused() && !isStopping();
    }

    /** Returns whether members end. Any thread. */
    boolean isEnding() {
        return isClosing();
    }

    /** Returns how long closing may take. Any thread. */
    Duration closeTimeout() {
        return closeTimeout;
    }

    /** Returns whether a member may poll: the intake has accepted everything that was read. Any thread. */
    boolean mayPoll() {
        return buffered == 0 && unofferedBytes.get() < settings.bufferBytes().bytes();
    }

    /** Adds what a member has read. Any thread. */
    void offerSoon(ShareDelivery delivery) {
        unofferedBytes.addAndGet(delivery.heldBytes());
        fetched.post(delivery);
    }

    void recordDuplicateSettlement() {
        fetched.recordDuplicateSettlement();
    }

    /** Records whether a member has released records that wait. Any thread. */
    void setRetrying(int member, boolean waits) {
        retrying.set(member, waits ? 1 : 0);
    }

    void memberFailed(Throwable failure) {
        memberProblem.raise("Reading from the broker failed", failure);
    }

    void memberRecovered() {
        memberProblem.clear();
    }

    /** Receives the result of acknowledgements. Any thread. */
    void acknowledged(Map<TopicIdPartition, Set<Long>> offsets, Exception failure) {
        if (failure == null) {
            acknowledgementProblem.clear();
            return;
        }
        offsets.values().forEach(each -> failedAcknowledgements.add(each.size()));
        acknowledgementProblem.raise("Acknowledgement failed; the messages are delivered again", failure);
    }
}

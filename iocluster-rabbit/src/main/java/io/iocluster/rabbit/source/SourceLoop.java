package io.iocluster.rabbit.source;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.EventLoopThread;
import io.iocluster.rabbit.connection.InboundBudget;
import io.iocluster.rabbit.connection.InboundGuard;
import io.iocluster.rabbit.connection.InspectedMessage;
import io.iocluster.rabbit.connection.ResourceAlarm;
import io.iocluster.rabbit.connection.ThrottledTask;
import io.iocluster.rabbit.ledger.ChannelSession;
import io.iocluster.rabbit.ledger.RabbitDelivery;
import io.iocluster.rabbit.ledger.SettlementQueue;
import io.iocluster.rabbit.ledger.TagLedger;
import io.iocluster.thread.Platform;
import io.iocluster.transport.Intake;
import io.iocluster.transport.PauseReason;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The source's work on its event loop: offers deliveries to the pipeline and acknowledges tags. Confined to the loop, except
 * where a method says otherwise. Deliveries come from the channel, settlements from the {@link SettlementQueue}. The deliveries
 * of a lost channel are dropped, because the broker redelivers them.
 */
final class SourceLoop {

    /** Minimum interval between two runs: under load one run processes the settlements of this time together. */
    private static final long MIN_RUN_INTERVAL_NANOS = Duration.ofMillis(1).toNanos();

    private static final long TICK_NANOS = Duration.ofMillis(100).toNanos();

    /** Much longer than any task of the loop. */
    private static final Duration COUNT_TIMEOUT = Duration.ofSeconds(30);

    /**
     * A quorum queue processes at most this many acknowledgements of a channel at once. Further ones wait in the broker's channel
     * and are lost when it closes (rabbit_fifo_client).
     */
    private static final int MAX_PENDING_ACKS_IN_BROKER = 32;

    /** Time for the broker to process waiting acknowledgements; enough unless its disk is very slow. */
    private static final long ACK_FLUSH_NANOS = Duration.ofSeconds(1).toNanos();

    private final EventLoopThread loop;
    private final Platform platform;
    private final ResourceAlarm alarm;
    private final Runnable sizesChanged;
    private final SettlementQueue settlements;
    private final ThrottledTask processing;
    private final DeliveryBuffer buffer;
    private final ReleaseBackoff releases;
    private final MeanMessageSize meanSize;
    private final InboundBudget budget;
    private final long maxMessageBytes;
    /** Deliveries whose bodies were discarded; requeued as soon as nothing consumes. */
    private final List<RabbitDelivery> overBudget = new ArrayList<>();

    private final long ackNanos;
    private final int ackBatchSize;

    private volatile boolean paused;
    private volatile boolean stopping;
    private volatile boolean bufferFull;
    private volatile int unacknowledgedOfCancelled;
    private volatile SourceSnapshot snapshot = new SourceSnapshot(Set.of(), 0, 0, 0, 0, 0);

    private ChannelSession current;
    private boolean ackScheduled;
    /** The free bytes required by the largest message that exceeded the budget. */
    private long bytesNeeded;

    private long redelivered;
    private long delivered;
    private int reportedOfCancelled;

    /**
     * State of the source at one time.
     *
     * @param reasons why the source reads less than it could
     * @param buffered deliveries that wait for the intake
     * @param held unacknowledged deliveries
     * @param oldestSinceMillis timestamp of the oldest of them, in milliseconds since the epoch; 0 if there is none
     * @param redelivered redeliveries by the broker and retries of released deliveries, since the start
     * @param delivered deliveries of the current channel
     */
    record SourceSnapshot(
            Set<PauseReason> reasons,
            int buffered,
            int held,
            long oldestSinceMillis,
            long redelivered,
            long delivered) {}

    /**
     * Creates a source loop without a channel.
     *
     * @param sizesChanged runs when the prefetch may have to change
     */
    SourceLoop(
            RabbitSettings settings,
            EventLoopThread loop,
            ResourceAlarm alarm,
            Intake intake,
            Runnable sizesChanged,
            Platform platform) {
        this.loop = loop;
        this.platform = platform;
        this.releases = new ReleaseBackoff(platform.random());
        this.alarm = alarm;
        this.sizesChanged = sizesChanged;
        this.processing = new ThrottledTask(loop, platform, MIN_RUN_INTERVAL_NANOS, this::process);
        this.settlements = new SettlementQueue(processing::request);
        this.meanSize = new MeanMessageSize(sizesChanged);
        this.budget = new InboundBudget(settings.requests().bufferBytes().bytes());
        this.maxMessageBytes = settings.requests().maxMessageSize().bytes();
        this.buffer = new DeliveryBuffer(intake, () -> paused || stopping || alarm.isRaised(), budget);
        this.ackNanos = settings.ackInterval().toNanos();
        this.ackBatchSize = settings.ackBatchSize();
        alarm.onChange(processing::request);
    }

    /** Starts the periodic processing. Any thread. */
    void start() {
        loop.scheduleRepeatedly(TICK_NANOS, this::tick);
    }

    /** Returns the queue for settled deliveries. Any thread. */
    SettlementQueue settlements() {
        return settlements;
    }

    /** Returns the last snapshot, at most about 100 ms old. Any thread. */
    SourceSnapshot snapshot() {
        return snapshot;
    }

    /** Returns the moving average of the message size. Any thread. */
    long meanMessageBytes() {
        return meanSize.published();
    }

    /** Offers buffered deliveries again. Any thread. */
    void capacityAvailable() {
        if (buffer.isIntakeFull()) {
            processing.request();
        }
    }

    /** Suspends or resumes offering. Any thread. */
    void pause(boolean pause) {
        paused = pause;
        processing.request();
    }

    /** Any thread. */
    boolean isPaused() {
        return paused;
    }

    /** Any thread. */
    boolean isStopping() {
        return stopping;
    }

    /** Returns a guard for one connection, whose event loop must be this loop. Any thread. */
    InboundGuard newGuard() {
        return new InboundGuard(budget, maxMessageBytes);
    }

    /** Returns whether a message exceeded the byte budget. Nothing may consume until it would fit. Any thread. */
    boolean isBufferFull() {
        return bufferFull;
    }

    /** Returns how many deliveries of cancelled consumers are unacknowledged. Any thread. */
    int unacknowledgedOfCancelled() {
        return unacknowledgedOfCancelled;
    }

    /**
     * Counts all unacknowledged deliveries as those of cancelled consumers. Blocks on the loop; any other thread.
     *
     * @throws IOException if the loop does not do it in time
     */
    void countAllAsCancelled() throws IOException {
        CompletableFuture<Void> counted = onLoop(() -> unacknowledgedOfCancelled =
                current == null ? 0 : current.ledger().countAllAsCancelled());
        try {
            if (!platform.await(counted, COUNT_TIMEOUT)) {
                throw new IOException("the event loop of the source does not run");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }

    /** Stops offering. The future completes when no further delivery will be offered. Any thread. */
    CompletableFuture<Void> stopIntake() {
        stopping = true;
        return onLoop(() -> {});
    }

    /** Acknowledges all settled deliveries. The future completes when the channel may be closed. Any thread. */
    CompletableFuture<Void> acknowledgeAll() {
        stopping = true;
        CompletableFuture<Void> done = new CompletableFuture<>();
        boolean taken = loop.execute(() -> {
            settle(platform.nanos());
            if (current == null) {
                done.complete(null);
                return;
            }
            current.acknowledge(platform.nanos(), 0);
            boolean mayBePending = current.ledger().acksSent() > MAX_PENDING_ACKS_IN_BROKER;
            loop.schedule(mayBePending ? ACK_FLUSH_NANOS : 0, () -> done.complete(null));
        });
        if (!taken) {
            done.complete(null);
        }
        return done;
    }

    private CompletableFuture<Void> onLoop(Runnable task) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        boolean taken = loop.execute(() -> {
            task.run();
            done.complete(null);
        });
        if (!taken) {
            done.complete(null);
        }
        return done;
    }

    /** Starts to use a new channel. */
    void channelOpened(ChannelSession fresh) {
        current = fresh;
        delivered = 0;
        unacknowledgedOfCancelled = 0;
    }

    /** Drops the deliveries of a closed channel. */
    void channelClosed(ChannelSession closed) {
        if (current == closed) {
            current = null;
            buffer.drainTo(delivery -> {});
            releases.drainTo(delivery -> budget.release(delivery.heldBytes()));
            overBudget.clear();
            publishSnapshot();
        }
    }

    /** Accepts a delivery of the channel. The source now owns its bytes. */
    void delivered(
            ChannelSession from,
            boolean redelivery,
            BasicProperties properties,
            byte[] body,
            InspectedMessage inspected) {
        if (from != current) {
            budget.release(inspected.reservedBytes());
            return;
        }
        RabbitDelivery delivery = new RabbitDelivery(
                from, inspected.tag(), properties, body, redelivery, platform.wallMillis(), inspected);
        from.ledger().add(delivery);
        delivered++;
        if (redelivery) {
            redelivered++;
        }
        meanSize.add(inspected);
        if (inspected.isWithinBudget()) {
            buffer.add(delivery);
        } else {
            overBudget.add(delivery);
            bytesNeeded = Math.max(bytesNeeded, inspected.bytesNeeded());
            bufferFull = true;
            sizesChanged.run();
        }
    }

    /**
     * Requeues messages that exceeded the budget, and while the source is paused or stopping also the buffered ones. Called only
     * while nothing consumes, because the broker would redeliver them at once.
     */
    void requeueBuffered() {
        if (current == null) {
            return;
        }
        if (!overBudget.isEmpty()) {
            overBudget.forEach(current::requeue);
            overBudget.clear();
        }
        if (paused || stopping) {
            buffer.drainTo(current::requeue);
        }
        processing.request();
    }

    private void tick() {
        process();
        meanSize.publish();
        if (unacknowledgedOfCancelled != reportedOfCancelled) {
            reportedOfCancelled = unacknowledgedOfCancelled;
            sizesChanged.run();
        }
        publishSnapshot();
    }

    private void process() {
        long now = platform.nanos();
        settle(now);
        if (current != null) {
            releases.drainDue(now, this::retry);
            buffer.offerBuffered();
            acknowledge(now);
            unacknowledgedOfCancelled = current.ledger().unacknowledgedOfCancelled();
        }
        if (bufferFull && overBudget.isEmpty() && buffer.buffered() == 0 && budget.hasFreeBytes(bytesNeeded)) {
            bufferFull = false;
            bytesNeeded = 0;
            sizesChanged.run();
        }
    }

    private void settle(long now) {
        for (RabbitDelivery next = settlements.poll(); next != null; next = settlements.poll()) {
            if (next.session() != current) {
                continue;
            }
            if (next.isAcknowledged()) {
                current.ledger().markDone(next, now);
            } else {
                budget.reserve(next.heldBytes());
                loop.schedule(releases.schedule(next, now), processing::request);
            }
        }
    }

    /** A requeue at the broker would count towards the delivery limit of a quorum queue. */
    private void retry(RabbitDelivery released) {
        if (paused || stopping) {
            budget.release(released.heldBytes());
            current.requeue(released);
            return;
        }
        RabbitDelivery copy = released.copyForRetry();
        current.ledger().replace(released, copy);
        redelivered++;
        buffer.add(copy);
    }

    private void acknowledge(long now) {
        TagLedger ledger = current.ledger();
        int pending = ledger.pendingAcks();
        if (pending == 0) {
            return;
        }
        boolean nothingOpen = pending == ledger.size();
        if (nothingOpen || pending >= ackBatchSize || now - ledger.oldestPendingAckNanos() >= ackNanos) {
            current.acknowledge(now, ackNanos);
        }
        if (ledger.pendingAcks() > 0 && !ackScheduled) {
            ackScheduled = true;
            loop.schedule(ackNanos, this::runScheduledAck);
        }
    }

    private void runScheduledAck() {
        ackScheduled = false;
        processing.request();
    }

    private void publishSnapshot() {
        Set<PauseReason> reasons = new HashSet<>();
        if (buffer.isIntakeFull()) {
            reasons.add(PauseReason.BACKPRESSURE);
        }
        if (bufferFull) {
            reasons.add(PauseReason.BUFFER_FULL);
        }
        if (!releases.isEmpty()) {
            reasons.add(PauseReason.BACKOFF);
        }
        if (alarm.isRaised()) {
            reasons.add(PauseReason.BROKER_BLOCKED);
        }
        RabbitDelivery oldest =
                current == null ? null : (RabbitDelivery) current.ledger().first();
        snapshot = new SourceSnapshot(
                reasons,
                buffer.buffered(),
                current == null ? 0 : current.ledger().size(),
                oldest == null ? 0 : oldest.queuedSinceMillis(),
                redelivered,
                delivered);
    }
}

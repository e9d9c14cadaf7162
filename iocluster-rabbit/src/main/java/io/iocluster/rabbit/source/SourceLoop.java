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
import io.iocluster.transport.Intake;
import io.iocluster.transport.PauseReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The source's work on its loop: it alone hands over, and alone touches tags. Deliveries come here from the channel, settlements
 * from the mailbox; a channel that is lost takes its own with it. What is not said to be for any thread is confined to the loop.
 */
final class SourceLoop {

    /** Under load, settlements and freed places of so long a time are seen to together. */
    private static final long TURN_NANOS = Duration.ofMillis(1).toNanos();

    /** The mean size is that of about so many messages. */
    private static final int SIZES = 64;

    private static final long TICK_NANOS = Duration.ofMillis(100).toNanos();

    /**
     * A quorum queue takes so many acknowledgements of a channel at once. Those beyond wait in the broker's channel, and are lost
     * when it closes (rabbit_fifo_client).
     */
    private static final int TAKEN_AT_ONCE = 32;

    /** By then it has taken those that wait, unless the broker's disk is slower than that. */
    private static final long SETTLING_NANOS = Duration.ofSeconds(1).toNanos();

    private final EventLoopThread loop;
    private final ResourceAlarm alarm;
    private final Runnable sizesChanged;
    private final SettlementQueue mailbox;
    private final ThrottledTask turns;
    private final DeliveryBuffer handOver;
    private final ReleaseBackoff releases = new ReleaseBackoff();
    private final InboundBudget budget;
    private final long maxMessageBytes;
    /** Deliveries whose bodies were discarded; requeued once nothing consumes. */
    private final List<RabbitDelivery> withoutRoom = new ArrayList<>();

    private final long ackNanos;
    private final int ackEvery;

    private volatile boolean paused;
    private volatile boolean stopping;
    private volatile boolean full;
    private volatile int earlier;
    private volatile long meanBytes = Prefetch.INITIAL_MESSAGE_BYTES;
    private volatile SourceSnapshot shown = new SourceSnapshot(Set.of(), 0, 0, 0, 0, 0);

    private ChannelSession current;
    private boolean ackPlanned;
    /** The free bytes that the largest message without room needs. */
    private long needed;

    private long mean = Prefetch.INITIAL_MESSAGE_BYTES;
    private long redelivered;
    private long delivered;
    private int earlierShown;

    /**
     * The source as it stood.
     *
     * @param held how many deliveries the broker waits for
     * @param oldestSinceMillis since when the oldest of them waits, 0 if there is none
     * @param delivered how many the channel has delivered
     */
    record SourceSnapshot(
            Set<PauseReason> reasons,
            int buffered,
            int held,
            long oldestSinceMillis,
            long redelivered,
            long delivered) {}

    /**
     * For one intake.
     *
     * @param sizesChanged runs when the prefetch may have to change
     */
    SourceLoop(
            RabbitSettings settings, EventLoopThread loop, ResourceAlarm alarm, Intake intake, Runnable sizesChanged) {
        this.loop = loop;
        this.alarm = alarm;
        this.sizesChanged = sizesChanged;
        this.turns = new ThrottledTask(loop, TURN_NANOS, this::turn);
        this.mailbox = new SettlementQueue(turns::request);
        this.budget = new InboundBudget(settings.requests().bufferBytes().bytes());
        this.maxMessageBytes = settings.requests().maxMessageSize().bytes();
        this.handOver = new DeliveryBuffer(intake, () -> paused || stopping || alarm.isRaised(), budget);
        this.ackNanos = settings.ackInterval().toNanos();
        this.ackEvery = settings.ackBatchSize();
        alarm.onChange(turns::request);
    }

    /** Any thread. */
    void start() {
        loop.scheduleRepeatedly(TICK_NANOS, this::tick);
    }

    /** Any thread. */
    SettlementQueue mailbox() {
        return mailbox;
    }

    /** Any thread. */
    SourceSnapshot snapshot() {
        return shown;
    }

    /** The mean size of a message, lately. Any thread. */
    long meanMessageBytes() {
        return meanBytes;
    }

    /** Any thread. */
    void capacityAvailable() {
        if (handOver.isIntakeFull()) {
            turns.request();
        }
    }

    /** Any thread. */
    void pause(boolean pause) {
        paused = pause;
        turns.request();
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

    /** Returns whether the byte budget had no room for a message. Then nothing may consume until the message would fit. Any thread. */
    boolean isBufferFull() {
        return full;
    }

    /** Returns how many deliveries of cancelled consumers are still unacknowledged. Any thread. */
    int unacknowledgedOfCancelled() {
        return earlier;
    }

    /** Counts every unacknowledged delivery as one of a cancelled consumer. Waits for the loop; any thread except the loop's. */
    int countAllAsCancelled() {
        onLoop(() -> earlier = current == null ? 0 : current.ledger().countAllAsCancelled())
                .join();
        return earlier;
    }

    /** Hands over nothing more; completes once that holds. Any thread. */
    CompletableFuture<Void> stopIntake() {
        stopping = true;
        return onLoop(() -> {});
    }

    /** Acknowledges all that is settled, as the last thing, and completes when the channel may be closed. Any thread. */
    CompletableFuture<Void> acknowledgeAll() {
        stopping = true;
        CompletableFuture<Void> done = new CompletableFuture<>();
        boolean taken = loop.execute(() -> {
            settle(System.nanoTime());
            if (current == null) {
                done.complete(null);
                return;
            }
            current.acknowledge(System.nanoTime(), 0);
            boolean mayWait = current.ledger().acksSent() > TAKEN_AT_ONCE;
            loop.schedule(mayWait ? SETTLING_NANOS : 0, () -> done.complete(null));
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

    /** There is a new channel. */
    void channelOpened(ChannelSession fresh) {
        current = fresh;
        delivered = 0;
        earlier = 0;
    }

    /** The channel is gone, and with it what it delivered. */
    void channelClosed(ChannelSession gone) {
        if (current == gone) {
            current = null;
            handOver.drainTo(delivery -> {});
            releases.drainTo(delivery -> budget.release(delivery.heldBytes()));
            withoutRoom.clear();
            show();
        }
    }

    /** Accepts a message from the channel. The source now owns its bytes. */
    void delivered(
            ChannelSession from, boolean again, BasicProperties properties, byte[] body, InspectedMessage arrival) {
        if (from != current) {
            budget.release(arrival.reservedBytes());
            return;
        }
        RabbitDelivery delivery = new RabbitDelivery(from, arrival.tag(), properties, body, again, arrival);
        from.ledger().add(delivery);
        delivered++;
        if (again) {
            redelivered++;
        }
        followSize(arrival);
        if (arrival.isWithinBudget()) {
            handOver.add(delivery);
        } else {
            withoutRoom.add(delivery);
            needed = Math.max(needed, arrival.needed());
            full = true;
            sizesChanged.run();
        }
    }

    private void followSize(InspectedMessage arrival) {
        if (mean == Prefetch.INITIAL_MESSAGE_BYTES) {
            mean = arrival.fullBytes();
            showSizes();
        } else if (arrival.isWithinBudget()) {
            mean += (arrival.fullBytes() - mean) / SIZES;
        } else if (arrival.fullBytes() > mean) {
            mean = arrival.fullBytes();
            showSizes();
        }
    }

    private void showSizes() {
        if (Long.highestOneBit(mean) != Long.highestOneBit(meanBytes)) {
            meanBytes = mean;
            sizesChanged.run();
        }
    }

    /**
     * Requeues messages that had no room, and also waiting ones while nothing is handed over. Called while nothing consumes,
     * because the broker would deliver them again at once.
     */
    void requeueBuffered() {
        if (current == null) {
            return;
        }
        if (!withoutRoom.isEmpty()) {
            withoutRoom.forEach(current::requeue);
            withoutRoom.clear();
        }
        if (paused || stopping) {
            handOver.drainTo(current::requeue);
        }
        turns.request();
    }

    private void tick() {
        turn();
        showSizes();
        if (earlier != earlierShown) {
            earlierShown = earlier;
            sizesChanged.run();
        }
        show();
    }

    private void turn() {
        long now = System.nanoTime();
        settle(now);
        if (current != null) {
            releases.drainDue(now, this::offerAgain);
            handOver.offerBuffered();
            acknowledge(now);
            earlier = current.ledger().unacknowledgedOfCancelled();
        }
        if (full && withoutRoom.isEmpty() && handOver.buffered() == 0 && budget.hasRoom(needed)) {
            full = false;
            needed = 0;
            sizesChanged.run();
        }
    }

    private void settle(long now) {
        for (RabbitDelivery next = mailbox.poll(); next != null; next = mailbox.poll()) {
            if (next.session() != current) {
                continue;
            }
            if (next.isAcknowledged()) {
                current.ledger().markDone(next, now);
            } else {
                budget.reserve(next.heldBytes());
                loop.schedule(releases.schedule(next, now), turns::request);
            }
        }
    }

    /** Going back to the broker would use up one of the deliveries that a quorum queue grants a message. */
    private void offerAgain(RabbitDelivery released) {
        if (paused || stopping) {
            budget.release(released.heldBytes());
            current.requeue(released);
            return;
        }
        RabbitDelivery again = released.copyForRetry();
        current.ledger().replace(released, again);
        redelivered++;
        handOver.add(again);
    }

    private void acknowledge(long now) {
        TagLedger ledger = current.ledger();
        int waiting = ledger.pendingAcks();
        if (waiting == 0) {
            return;
        }
        boolean nothingElse = waiting == ledger.size();
        if (nothingElse || waiting >= ackEvery || now - ledger.oldestPendingAckNanos() >= ackNanos) {
            current.acknowledge(now, ackNanos);
        }
        if (ledger.pendingAcks() > 0 && !ackPlanned) {
            ackPlanned = true;
            loop.schedule(ackNanos, this::planned);
        }
    }

    private void planned() {
        ackPlanned = false;
        turns.request();
    }

    private void show() {
        Set<PauseReason> reasons = new HashSet<>();
        if (handOver.isIntakeFull()) {
            reasons.add(PauseReason.BACKPRESSURE);
        }
        if (full) {
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
        shown = new SourceSnapshot(
                reasons,
                handOver.buffered(),
                current == null ? 0 : current.ledger().size(),
                oldest == null ? 0 : oldest.queuedSinceMillis(),
                redelivered,
                delivered);
    }
}

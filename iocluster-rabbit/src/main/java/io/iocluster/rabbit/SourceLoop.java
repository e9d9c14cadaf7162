package io.iocluster.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.transport.Intake;
import java.time.Duration;
import java.util.HashSet;
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

    private final Loop loop;
    private final Alarm alarm;
    private final Runnable sizesChanged;
    private final Mailbox mailbox;
    private final Turns turns;
    private final HandOver handOver;
    private final Releases releases = new Releases();
    private final long ackNanos;
    private final int ackEvery;

    private volatile boolean paused;
    private volatile boolean stopping;
    private volatile long meanBytes = Prefetch.FIRST_BYTES;
    private volatile Shown shown = new Shown(Set.of(), 0, 0, 0, 0, 0);

    private Consumption current;
    private boolean ackPlanned;
    private long mean = Prefetch.FIRST_BYTES;
    private long redelivered;
    private long delivered;

    /**
     * The source as it stood.
     *
     * @param held how many deliveries the broker waits for
     * @param oldestSinceMillis since when the oldest of them waits, 0 if there is none
     * @param delivered how many the channel has delivered
     */
    record Shown(
            Set<String> reasons, int buffered, int held, long oldestSinceMillis, long redelivered, long delivered) {}

    /**
     * For one intake.
     *
     * @param sizesChanged run when messages are half or twice as large as they were
     */
    SourceLoop(RabbitSettings settings, Loop loop, Alarm alarm, Intake intake, Runnable sizesChanged) {
        this.loop = loop;
        this.alarm = alarm;
        this.sizesChanged = sizesChanged;
        this.turns = new Turns(loop, TURN_NANOS, this::turn);
        this.mailbox = new Mailbox(turns::ask);
        this.handOver = new HandOver(intake, () -> paused || stopping || alarm.isRaised());
        this.ackNanos = settings.ackInterval().toNanos();
        this.ackEvery = settings.ackEvery();
        alarm.onChange(turns::ask);
    }

    /** Any thread. */
    void start() {
        loop.each(TICK_NANOS, this::tick);
    }

    /** Any thread. */
    Mailbox mailbox() {
        return mailbox;
    }

    /** Any thread. */
    Shown shown() {
        return shown;
    }

    /** The mean size of a message, lately. Any thread. */
    long meanBytes() {
        return meanBytes;
    }

    /** Any thread. */
    void roomFreed() {
        if (handOver.isRefused()) {
            turns.ask();
        }
    }

    /** Any thread. */
    void pause(boolean pause) {
        paused = pause;
        turns.ask();
    }

    /** Any thread. */
    boolean isPaused() {
        return paused;
    }

    /** Any thread. */
    boolean isStopping() {
        return stopping;
    }

    /** Hands over nothing more; completes once that holds. Any thread. */
    CompletableFuture<Void> stop() {
        stopping = true;
        return onLoop(() -> {});
    }

    /** Acknowledges all that is settled, as the last thing, and completes when the channel may be closed. Any thread. */
    CompletableFuture<Void> finish() {
        stopping = true;
        CompletableFuture<Void> done = new CompletableFuture<>();
        boolean taken = loop.execute(() -> {
            settle(System.nanoTime());
            if (current == null) {
                done.complete(null);
                return;
            }
            current.acknowledge(System.nanoTime(), 0);
            boolean mayWait = current.ledger().acknowledgements() > TAKEN_AT_ONCE;
            loop.after(mayWait ? SETTLING_NANOS : 0, () -> done.complete(null));
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
    void begin(Consumption fresh) {
        current = fresh;
        delivered = 0;
    }

    /** The channel is gone, and with it what it delivered. */
    void end(Consumption gone) {
        if (current == gone) {
            current = null;
            handOver.empty(delivery -> {});
            releases.clear();
            show();
        }
    }

    void delivered(Consumption from, long tag, boolean again, BasicProperties properties, byte[] body) {
        if (from != current) {
            return;
        }
        RabbitDelivery delivery = new RabbitDelivery(from, tag, properties, body, again);
        from.ledger().delivered(delivery);
        delivered++;
        if (again) {
            redelivered++;
        }
        if (mean == Prefetch.FIRST_BYTES) {
            mean = body.length;
            showSizes();
        } else {
            mean += (body.length - mean) / SIZES;
        }
        handOver.add(delivery);
    }

    private void showSizes() {
        if (Long.highestOneBit(mean) != Long.highestOneBit(meanBytes)) {
            meanBytes = mean;
            sizesChanged.run();
        }
    }

    /** What was not handed over goes back to the broker, for others; only while nothing is handed over anyway. */
    void giveBack() {
        if (current != null && (paused || stopping)) {
            handOver.empty(current::requeue);
        }
    }

    private void tick() {
        turn();
        showSizes();
        show();
    }

    private void turn() {
        long now = System.nanoTime();
        settle(now);
        if (current != null) {
            releases.due(now, this::offerAgain);
            handOver.handOver();
            acknowledge(now);
        }
    }

    private void settle(long now) {
        for (RabbitDelivery next = mailbox.poll(); next != null; next = mailbox.poll()) {
            if (next.consumption() != current) {
                continue;
            }
            if (next.isAcknowledged()) {
                current.ledger().done(next, now);
            } else {
                loop.after(releases.add(next, now), turns::ask);
            }
        }
    }

    /** Going back to the broker would use up one of the deliveries that a quorum queue grants a message. */
    private void offerAgain(RabbitDelivery released) {
        if (paused || stopping) {
            current.requeue(released);
            return;
        }
        RabbitDelivery again = released.again();
        current.ledger().replace(released, again);
        redelivered++;
        handOver.add(again);
    }

    private void acknowledge(long now) {
        TagLedger ledger = current.ledger();
        int waiting = ledger.waiting();
        if (waiting == 0) {
            return;
        }
        boolean nothingElse = waiting == ledger.size();
        if (nothingElse || waiting >= ackEvery || now - ledger.waitingSince() >= ackNanos) {
            current.acknowledge(now, ackNanos);
        }
        if (ledger.waiting() > 0 && !ackPlanned) {
            ackPlanned = true;
            loop.after(ackNanos, this::planned);
        }
    }

    private void planned() {
        ackPlanned = false;
        turns.ask();
    }

    private void show() {
        Set<String> reasons = new HashSet<>();
        if (handOver.isRefused()) {
            reasons.add("window-full");
        }
        if (!releases.isEmpty()) {
            reasons.add("backoff");
        }
        if (alarm.isRaised()) {
            reasons.add("broker-blocked");
        }
        RabbitDelivery oldest =
                current == null ? null : (RabbitDelivery) current.ledger().first();
        shown = new Shown(
                reasons,
                handOver.buffered(),
                current == null ? 0 : current.ledger().size(),
                oldest == null ? 0 : oldest.waitsSinceMillis(),
                redelivered,
                delivered);
    }
}

package io.iocluster.simulation.queue;

import io.iocluster.testkit.simulation.SimulatedProcess;
import io.iocluster.thread.LoopThread;
import io.iocluster.transport.Intake;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.SourceStatus;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Reads the queue of a broker with one loop. Confined to the thread of the simulation. */
final class QueueSource implements RequestSource {

    /** Longer than a lost wake-up may stay unnoticed: the loop is woken if there is something to do. */
    private static final long IDLE_NANOS = 10_000_000_000L;

    private static final long RECONNECT_NANOS = 200_000_000;
    private static final Duration RELEASE_BACKOFF = Duration.ofMillis(100);

    private final QueueBroker broker;
    private final SimulatedProcess process;
    private final LoopThread loop;
    private final CompletableFuture<Void> intakeStopped = new CompletableFuture<>();
    private Intake intake;
    private QueueDelivery refused;
    private boolean connected;
    private boolean paused;
    private boolean stopping;
    private boolean closed;
    private long duplicateSettlements;
    private long redelivered;

    QueueSource(QueueBroker broker, SimulatedProcess process) {
        this.broker = broker;
        this.process = process;
        this.loop = process.newLoop("source", this::read);
    }

    @Override
    public void start(Intake started) {
        intake = started;
        loop.start();
    }

    private long read() {
        if (closed) {
            broker.connectionLost(this);
            return LoopThread.Task.END;
        }
        if (!connected) {
            if (broker.isDown()) {
                return RECONNECT_NANOS;
            }
            connected = true;
            broker.connect(this);
        }
        if (stopping) {
            intakeStopped.complete(null);
        }
        while (!paused && !stopping) {
            QueueDelivery next = refused == null ? poll() : refused;
            refused = null;
            if (next == null) {
                return IDLE_NANOS;
            }
            if (!intake.offer(next)) {
                refused = next;
                return IDLE_NANOS;
            }
        }
        return IDLE_NANOS;
    }

    private QueueDelivery poll() {
        QueueMessage message = broker.poll(this);
        if (message == null) {
            return null;
        }
        boolean again = broker.noteDelivery(message);
        redelivered += again ? 1 : 0;
        return new QueueDelivery(this, message, again);
    }

    /** The connection is lost: a refused delivery belongs to the broker again. */
    void disconnected() {
        connected = false;
        refused = null;
        wake();
    }

    String node() {
        return process.name();
    }

    void wake() {
        loop.wake();
    }

    void settle(QueueMessage message, boolean acknowledged) {
        if (!process.isAlive()) {
            return;
        }
        process.after(acknowledged ? Duration.ZERO : RELEASE_BACKOFF, () -> broker.settle(this, message, acknowledged));
    }

    void settledTwice() {
        duplicateSettlements++;
    }

    @Override
    public void capacityAvailable() {
        loop.wake();
    }

    @Override
    public void pause() {
        paused = true;
    }

    @Override
    public void resume() {
        paused = false;
        loop.wake();
    }

    @Override
    public CompletionStage<Void> stopIntake() {
        stopping = true;
        loop.wake();
        return intakeStopped;
    }

    @Override
    public SourceStatus status() {
        Set<PauseReason> reasons = new TreeSet<>();
        if (paused) {
            reasons.add(PauseReason.OPERATOR);
        }
        if (stopping) {
            reasons.add(PauseReason.DRAIN);
        }
        return new SourceStatus(
                connected,
                connected ? null : "broker is down",
                reasons,
                refused == null ? 0 : 1,
                List.of(),
                duplicateSettlements,
                redelivered);
    }

    @Override
    public void close(Duration timeout) {
        stopping = true;
        // Settlements that are on their way arrive before the connection ends.
        process.sleep(Duration.ofMillis(1));
        closed = true;
        loop.join(timeout);
    }
}

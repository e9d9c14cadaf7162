package io.iocluster.transport.inprocess;

import io.iocluster.thread.LoopThread;
import io.iocluster.thread.Platform;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.Intake;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.source.RunningSource;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Offers the messages of a queue on its thread, which it owns. Thread-safe. */
public final class InProcessReader<D extends Delivery> implements RunningSource {

    /** Longest wait of the thread, if no event wakes it earlier. Each event does, so it only bounds the effect of a defect. */
    private static final long WAIT_NANOS = 100_000_000;

    private final InProcessQueue<D> queue;
    private final Intake intake;
    private final LoopThread thread;
    private final CompletableFuture<Void> intakeStopped = new CompletableFuture<>();
    private volatile boolean paused;
    private volatile boolean stopping;
    private volatile boolean closed;

    /** Whether the messages that wait are offered although the source is to stop. Written before {@link #stopping}. */
    private boolean offersWaiting;

    /** The message that the intake has refused for now; null if there is none. Written by the thread. */
    private volatile D refused;

    InProcessReader(String threadName, InProcessQueue<D> queue, Intake intake, Platform platform) {
        this.queue = queue;
        this.intake = intake;
        this.thread = platform.newLoop(threadName, this::offerAll);
    }

    @Override
    public void start() {
        thread.start();
    }

    /** Offers messages until the intake refuses one or there is none. */
    private long offerAll() {
        boolean empty = false;
        while (!empty && canOffer()) {
            D next = refused == null ? queue.poll() : refused;
            refused = null;
            if (next == null) {
                empty = true;
            } else if (!intake.offer(next)) {
                refused = next;
                break;
            }
        }
        if (stopping && (empty || !offersWaiting)) {
            giveBackRefused();
            intakeStopped.complete(null);
        }
        if (!closed) {
            return WAIT_NANOS;
        }
        giveBackRefused();
        return LoopThread.Task.END;
    }

    private boolean canOffer() {
        return !closed && !paused && (!stopping || offersWaiting);
    }

    private void giveBackRefused() {
        D message = refused;
        if (message != null) {
            refused = null;
            queue.giveBack(message);
        }
    }

    @Override
    public void capacityAvailable() {
        thread.wake();
    }

    @Override
    public void pause(boolean pause) {
        paused = pause;
        thread.wake();
    }

    @Override
    public CompletionStage<Void> stopIntake() {
        stop();
        return intakeStopped;
    }

    private synchronized void stop() {
        if (!stopping) {
            offersWaiting = queue.stop();
            stopping = true;
            thread.wake();
        }
    }

    @Override
    public SourceStatus status(Set<PauseReason> reasons) {
        return queue.status(!closed, reasons, refused != null);
    }

    @Override
    public void close(Duration timeout) {
        stop();
        closed = true;
        thread.join(timeout);
        intakeStopped.complete(null);
        queue.close();
    }
}

package io.iocluster.kafka.loop;

import io.iocluster.kafka.ledger.PollThreadMailbox;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.outage.Backoff;
import io.iocluster.transport.outage.ProblemLog;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;

/**
 * The loop of the poll thread, which calls the intake. After a failure it logs, backs off and continues. Only {@link
 * #close} ends the thread. Public methods are called on any thread, other methods on the poll thread.
 */
public abstract class SourceLoop implements Runnable {

    /** Maximum time that the thread waits for an event without looking at its state. */
    protected static final long PARK_NANOS = 10_000_000;

    /** Minimum time between wake-ups for capacity, so that a full window does not cause one wake-up for each call. */
    private static final long MIN_WAKE_INTERVAL_NANOS = 500_000;

    private static final long STATUS_NANOS = 100_000_000;

    private final PollThreadMailbox<?> mailbox;
    private final ProblemLog problem;
    private final Backoff backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10));
    private final CompletableFuture<Void> intakeStopped = new CompletableFuture<>();

    private volatile boolean paused;
    private volatile boolean stopping;
    private volatile boolean closing;
    private volatile long closeTimeoutNanos;
    private boolean refused;
    private long lastWake;
    private long lastStatus;

    /**
     * Creates a loop.
     *
     * @param mailbox wakes the thread
     * @param broker the broker's addresses, for the log
     */
    protected SourceLoop(Logger log, PollThreadMailbox<?> mailbox, String broker) {
        this.mailbox = mailbox;
        this.problem = ProblemLog.ofBroker(log, "not connected yet", broker);
    }

    /** Prepares to read; called before the first {@link #runOnce} and after each failure. */
    protected abstract void open();

    /** Applies settlements, offers records and reads. */
    protected abstract void runOnce();

    /** Handles a failure of {@link #open} or {@link #runOnce}. */
    protected abstract void recover(Throwable failure);

    /** Applies settlements that have arrived. */
    protected abstract void settle(long now);

    /** Offers the buffered records. Returns whether the intake refused one. */
    protected abstract boolean offerBuffered(long now);

    /** Returns whether the intake accepted a record in the last {@link #offerBuffered}. */
    protected abstract boolean hasAccepted();

    /** Returns whether a settlement could let another record be offered. */
    protected boolean awaitsSettlements() {
        return false;
    }

    /** Publishes the status. */
    protected abstract void updateStatus(boolean isRefused);

    /** Applies the last settlements and disconnects, within the timeout. */
    protected abstract void shutDown(Duration timeout);

    /** Starts to query the broker for the lag. */
    public abstract void startMonitor();

    /** Ends the queries for the lag. */
    public abstract void closeMonitor();

    /** Returns the last status, with these and its own reasons of a pause. */
    public abstract SourceStatus status(Set<PauseReason> reasons);

    /** Interrupts the threads, because closing takes too long. */
    public abstract void wakeup();

    /** Returns why nothing can be read, or null. */
    public String problem() {
        return problem.problem();
    }

    /** Pauses or resumes offering records. */
    public void pause(boolean pause) {
        paused = pause;
    }

    /** Stops offering records. The future completes when no more will be offered. */
    public CompletableFuture<Void> stopIntake() {
        stopping = true;
        return intakeStopped;
    }

    /** Requests that the thread ends within this time. */
    public void close(Duration timeout) {
        closeTimeoutNanos = timeout.toNanos();
        stopping = true;
        closing = true;
    }

    protected final boolean isPaused() {
        return paused;
    }

    protected final boolean isStopping() {
        return stopping;
    }

    protected final boolean isClosing() {
        return closing;
    }

    protected final boolean isRefused() {
        return refused;
    }

    /** Reports that no more records will be offered. */
    protected final void reportIntakeStopped() {
        intakeStopped.complete(null);
    }

    protected final boolean hasProblem() {
        return problem.problem() != null;
    }

    /** Clears the problem, because the broker answers. */
    protected final void reportHealthy() {
        problem.clear();
        backoff.reset();
    }

    protected final void raise(Throwable failure) {
        problem.raise("Reading from the broker failed", failure);
    }

    @Override
    public final void run() {
        while (!closing) {
            try {
                open();
                while (!closing) {
                    runOnce();
                }
            } catch (Throwable failure) {
                if (!closing) {
                    recover(failure);
                }
            }
        }
        reportIntakeStopped();
        shutDown(Duration.ofNanos(closeTimeoutNanos));
        updateStatus(false);
    }

    /** Offers buffered records, unless the source is paused or stopping. */
    protected final void offer(long now) {
        refused = offerAgain(now);
    }

    private boolean offerAgain(long now) {
        return !paused && !stopping && offerBuffered(now);
    }

    /** Waits until the intake has capacity, for at most {@link #PARK_NANOS}. */
    protected final void awaitCapacity() {
        if (System.nanoTime() - lastWake < MIN_WAKE_INTERVAL_NANOS) {
            mailbox.park(MIN_WAKE_INTERVAL_NANOS);
            lastWake = System.nanoTime();
            // While calls end this often, there is capacity after the pause, and no call has to wake this thread.
            if (!offerAgain(lastWake) || hasAccepted()) {
                return;
            }
        }
        mailbox.expectCapacity();
        if (awaitsSettlements()) {
            mailbox.expectSettlements();
        }
        if (offerAgain(System.nanoTime())) {
            mailbox.park(PARK_NANOS);
        }
        lastWake = System.nanoTime();
    }

    /** Publishes the status if the last one is old. */
    protected final void showStatus(long now) {
        if (now - lastStatus >= STATUS_NANOS) {
            lastStatus = now;
            updateStatus(refused);
        }
    }

    /** Waits after a failure, and continues to settle. */
    protected final void backOff() {
        long start = System.nanoTime();
        long wait = backoff.nextDelayNanos();
        while (!closing && System.nanoTime() - start < wait) {
            settle(System.nanoTime());
            if (stopping) {
                reportIntakeStopped();
            }
            showStatus(System.nanoTime());
            mailbox.park(PARK_NANOS);
        }
    }
}

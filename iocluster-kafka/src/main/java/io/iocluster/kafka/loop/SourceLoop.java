package io.iocluster.kafka.loop;

import io.iocluster.kafka.ledger.PollThreadMailbox;
import io.iocluster.thread.LoopThread;
import io.iocluster.thread.Platform;
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
public abstract class SourceLoop {

    /** Maximum time that the thread waits for an event without looking at its state. */
    protected static final long PARK_NANOS = 10_000_000;

    /** Minimum time between wake-ups for capacity, so that a full window does not cause one wake-up for each call. */
    private static final long MIN_WAKE_INTERVAL_NANOS = 500_000;

    private static final long STATUS_NANOS = 100_000_000;

    private final PollThreadMailbox<?> mailbox;
    private final ProblemLog problem;
    private final Backoff backoff;
    private final Platform platform;
    private final LoopThread thread;
    private final CompletableFuture<Void> intakeStopped = new CompletableFuture<>();

    private volatile boolean paused;
    private volatile boolean stopping;
    private volatile boolean closing;
    private volatile long closeTimeoutNanos;
    private boolean refused;
    /** Whether the loop waits for capacity. */
    private boolean waits;
    /** Whether that wait is so short that no call has to wake the thread. */
    private boolean waitsUnwoken;
    /** Whether the loop waits after a failure, until {@link #backsOffUntil}. */
    private boolean backsOff;

    private long backsOffUntil;
    private long lastWake;
    private long lastStatus;

    /**
     * Creates a loop.
     *
     * @param mailbox wakes the thread
     * @param broker the broker's addresses, for the log
     */
    protected SourceLoop(Logger log, PollThreadMailbox<?> mailbox, String broker, Platform platform) {
        this.mailbox = mailbox;
        this.platform = platform;
        this.problem = ProblemLog.ofBroker(log, "not connected yet", broker, platform);
        this.backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10), platform.random());
        this.lastWake = platform.nanos() - MIN_WAKE_INTERVAL_NANOS;
        this.lastStatus = platform.nanos() - STATUS_NANOS;
        this.thread = platform.newLoop("iocluster-kafka-poll", this::run);
        mailbox.setReader(thread::wake);
    }

    /** Starts the poll thread. */
    public final void start() {
        thread.start();
    }

    /** Waits for the end of the poll thread. Returns whether it has ended. */
    public final boolean join(Duration within) {
        return thread.join(within);
    }

    /** Waits within a run for an expected event of the mailbox, at most this time. */
    protected final void await(long nanos) {
        long wait = mailbox.maxWait(nanos);
        if (wait > 0) {
            thread.await(wait);
        }
        mailbox.expectNothing();
    }

    /** Returns the monotonic clock in nanoseconds. */
    protected final long nanos() {
        return platform.nanos();
    }

    /** Prepares to read. Called before each {@link #runOnce}, so it does nothing while all is open. */
    protected abstract void open();

    /**
     * Applies settlements, offers records and reads.
     *
     * @return maximum wait before the next run, in nanoseconds
     */
    protected abstract long runOnce();

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

    private long run() {
        mailbox.expectNothing();
        if (closing) {
            reportIntakeStopped();
            shutDown(Duration.ofNanos(closeTimeoutNanos));
            updateStatus(false);
            return LoopThread.Task.END;
        }
        if (waits) {
            waits = false;
            lastWake = nanos();
        }
        if (backsOff && nanos() - backsOffUntil < 0) {
            return waitOutBackoff();
        }
        backsOff = false;
        try {
            open();
            return closing ? 0 : mailbox.maxWait(runOnce());
        } catch (Throwable failure) {
            if (!closing) {
                recover(failure);
            }
            return 0;
        }
    }

    /** Offers buffered records, unless the source is paused or stopping. */
    protected final void offer(long now) {
        refused = offerAgain(now);
    }

    private boolean offerAgain(long now) {
        return !paused && !stopping && offerBuffered(now);
    }

    /** Returns how long to wait until the intake has capacity, at most {@link #PARK_NANOS}. */
    protected final long awaitCapacity() {
        waits = true;
        // While calls end this often, there is capacity after a short wait, and no call has to wake this thread.
        boolean capacityIsFrequent = !waitsUnwoken || hasAccepted();
        waitsUnwoken = capacityIsFrequent && nanos() - lastWake < MIN_WAKE_INTERVAL_NANOS;
        if (waitsUnwoken) {
            return MIN_WAKE_INTERVAL_NANOS;
        }
        mailbox.expectCapacity();
        if (awaitsSettlements()) {
            mailbox.expectSettlements();
        }
        return offerAgain(nanos()) ? PARK_NANOS : 0;
    }

    /** Publishes the status if the last one is old. */
    protected final void showStatus(long now) {
        if (now - lastStatus >= STATUS_NANOS) {
            lastStatus = now;
            updateStatus(refused);
        }
    }

    /** Waits after a failure before the next {@link #open}. The loop continues to settle. */
    protected final void backOff() {
        backsOff = true;
        backsOffUntil = nanos() + backoff.nextDelayNanos();
    }

    private long waitOutBackoff() {
        settle(nanos());
        if (stopping) {
            reportIntakeStopped();
        }
        showStatus(nanos());
        return Math.max(0, Math.min(PARK_NANOS, backsOffUntil - nanos()));
    }
}

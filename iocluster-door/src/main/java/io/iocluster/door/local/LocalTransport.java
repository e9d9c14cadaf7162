package io.iocluster.door.local;

import io.iocluster.door.call.CallResult.Reason;
import io.iocluster.thread.LoopThread;
import io.iocluster.thread.Platform;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.Intake;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.TraceContext;
import io.iocluster.transport.Transport;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A transport without a broker: offers the calls of this process to the pipeline, and gives each answer to its call. Calls wait in a
 * bounded mailbox. Thread-safe; owns the thread that offers them.
 */
final class LocalTransport implements Transport, RequestSource, ResponseSink {

    static final String NAME = "local";

    private static final CompletionStage<PublishResult> CONFIRMED =
            CompletableFuture.completedFuture(PublishResult.CONFIRMED);
    private static final String STOPPED = "the door stops";

    /** Longest wait of the thread. */
    private static final long WAIT_NANOS = 100_000_000;

    private final BlockingQueue<LocalDelivery> mailbox;
    private final LoopThread thread;
    private final CompletableFuture<Void> intakeStopped = new CompletableFuture<>();
    private volatile Intake intake;
    private volatile boolean paused;
    private volatile boolean stopping;
    private volatile boolean closed;

    /** The call that the pipeline has refused for now; null if there is none. Confined to the thread. */
    private LocalDelivery refused;

    /**
     * Creates a transport.
     *
     * @param maxWaiting maximum number of calls that wait for the pipeline
     */
    LocalTransport(int maxWaiting, Platform platform) {
        this.thread = platform.newLoop("iocluster-local-source", this::offerAll);
        this.mailbox = new LinkedBlockingQueue<>(maxWaiting);
    }

    /** Queues a call for the pipeline. Ends it if the mailbox is full or the transport stops. */
    void submit(LocalDelivery delivery) {
        if (stopping) {
            delivery.fail(Reason.UNAVAILABLE, STOPPED);
        } else if (!mailbox.offer(delivery)) {
            delivery.fail(Reason.FULL, "too many calls wait for the pipeline; try again later");
        } else if (closed) {
            failWaiting();
        } else {
            thread.wake();
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public RequestSource source() {
        return this;
    }

    @Override
    public ResponseSink sink() {
        return this;
    }

    @Override
    public void start(Intake calls) {
        intake = calls;
        thread.start();
    }

    /** Starts nothing, because there is nothing to connect to. */
    @Override
    public void start() {}

    /** Offers the waiting calls until the pipeline refuses one. Returns the wait before the next time. */
    private long offerAll() {
        while (!closed && !paused) {
            LocalDelivery next = refused == null ? mailbox.poll() : refused;
            if (next == null) {
                if (stopping) {
                    intakeStopped.complete(null);
                }
                break;
            }
            boolean accepted = intake.offer(next);
            refused = accepted ? null : next;
            if (!accepted) {
                break;
            }
        }
        return closed ? end() : WAIT_NANOS;
    }

    private long end() {
        if (refused != null) {
            refused.fail(Reason.UNAVAILABLE, STOPPED);
        }
        failWaiting();
        return LoopThread.Task.END;
    }

    private void failWaiting() {
        for (LocalDelivery each = mailbox.poll(); each != null; each = mailbox.poll()) {
            each.fail(Reason.UNAVAILABLE, STOPPED);
        }
    }

    @Override
    public void capacityAvailable() {
        thread.wake();
    }

    @Override
    public void pause() {
        paused = true;
    }

    @Override
    public void resume() {
        paused = false;
        capacityAvailable();
    }

    @Override
    public CompletionStage<Void> stopIntake() {
        stopping = true;
        if (intake == null) {
            intakeStopped.complete(null);
        }
        thread.wake();
        return intakeStopped;
    }

    @Override
    public SourceStatus status() {
        Set<PauseReason> reasons = EnumSet.noneOf(PauseReason.class);
        if (paused) {
            reasons.add(PauseReason.OPERATOR);
        }
        if (stopping) {
            reasons.add(PauseReason.DRAIN);
        }
        return new SourceStatus(intake != null && !closed, null, reasons, mailbox.size(), List.of(), 0, 0);
    }

    @Override
    public boolean isReplyToAllowed(Delivery request, String replyTo) {
        return false;
    }

    @Override
    public CompletionStage<PublishResult> publish(Delivery request, byte[] answer, String replyTo, TraceContext trace) {
        ((LocalDelivery) request).answer(answer, trace);
        return CONFIRMED;
    }

    @Override
    public CompletionStage<PublishResult> publishDeadLetter(Delivery request, DeadLetterReason reason) {
        ((LocalDelivery) request).fail(Reason.DEAD_LETTER, reason.code() + ": " + reason.message());
        return CONFIRMED;
    }

    @Override
    public CompletionStage<PublishResult> publishAnswerAsDeadLetter(
            Delivery request, byte[] answer, DeadLetterReason reason) {
        return publishDeadLetter(request, reason);
    }

    @Override
    public void close(Duration timeout) {
        close();
    }

    @Override
    public void close() {
        stopping = true;
        closed = true;
        thread.wake();
        intakeStopped.complete(null);
        failWaiting();
    }
}

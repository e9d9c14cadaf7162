package io.iocluster.door.local;

import io.iocluster.door.call.CallResult.Reason;
import io.iocluster.thread.DaemonThreadFactory;
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
import io.iocluster.transport.source.CapacitySignal;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A transport without a broker: offers the calls of this process to the pipeline, and gives each answer to its call. Calls wait in a
 * bounded mailbox. Thread-safe; owns the thread that offers them.
 */
final class LocalTransport implements Transport, RequestSource, ResponseSink {

    static final String NAME = "local";

    private static final CompletionStage<PublishResult> CONFIRMED =
            CompletableFuture.completedFuture(PublishResult.CONFIRMED);
    private static final String STOPPED = "the door stops";

    /** Longest wait of the thread, after which it checks whether the transport is closed. */
    private static final long WAIT_MILLIS = 100;

    private final BlockingQueue<LocalDelivery> mailbox;
    private final CapacitySignal capacity = new CapacitySignal();
    private final Thread thread = DaemonThreadFactory.newThread("iocluster-local-source", this::offerAll);
    private final CompletableFuture<Void> intakeStopped = new CompletableFuture<>();
    private volatile Intake intake;
    private volatile boolean paused;
    private volatile boolean stopping;
    private volatile boolean closed;

    /**
     * Creates a transport.
     *
     * @param maxWaiting maximum number of calls that wait for the pipeline
     */
    LocalTransport(int maxWaiting) {
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

    private void offerAll() {
        try {
            while (!closed) {
                LocalDelivery next = paused ? null : mailbox.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS);
                if (next != null) {
                    offer(next);
                } else if (paused) {
                    capacity.await(WAIT_MILLIS);
                } else if (stopping) {
                    intakeStopped.complete(null);
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            intakeStopped.complete(null);
            failWaiting();
        }
    }

    private void offer(LocalDelivery delivery) throws InterruptedException {
        if (!capacity.offer(intake, delivery, WAIT_MILLIS, () -> closed)) {
            delivery.fail(Reason.UNAVAILABLE, STOPPED);
        }
    }

    private void failWaiting() {
        for (LocalDelivery each = mailbox.poll(); each != null; each = mailbox.poll()) {
            each.fail(Reason.UNAVAILABLE, STOPPED);
        }
    }

    @Override
    public void capacityAvailable() {
        capacity.signal();
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
        thread.interrupt();
        intakeStopped.complete(null);
        failWaiting();
    }
}

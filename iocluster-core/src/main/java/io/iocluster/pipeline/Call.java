package io.iocluster.pipeline;

import io.iocluster.destination.CallPermit;
import io.iocluster.destination.Destination;
import io.iocluster.destination.PendingCall;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.ReplyMode;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.message.SentStatus;
import io.iocluster.trace.MessageTrace;
import io.iocluster.trace.Traced;
import io.iocluster.transport.DelayedRetry;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.TraceContext;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call of a message, from the {@link Dispatcher} to its {@link CallListener}. Owned by the event loop of the worker that holds it, or
 * by its destination while it waits. Any thread may {@linkplain #tryEnd end} it; the first one wins.
 */
final class Call implements PendingCall, Traced {

    private static final Logger LOG = LoggerFactory.getLogger(Call.class);
    private static final LogThrottle DEFECTS = new LogThrottle(System.nanoTime());
    private static final AtomicReferenceFieldUpdater<Call, Hold> HOLD =
            AtomicReferenceFieldUpdater.newUpdater(Call.class, Hold.class, "hold");

    final Delivery delivery;
    final CallPermit permit;
    final CallDeadline clock;
    /** Null if the message is not a readable envelope. */
    final RequestEnvelope envelope;
    /** Null if the envelope may not be tried. */
    final HttpRequest request;
    /** Null if the envelope may not be tried. */
    final Destination<Call> target;
    /** Learns how the call ended, only through {@link #reportAnswer}, {@link #reportFailure} and {@link #release}. */
    final CallListener listener;

    /** Whether the current attempt has started. From then on the target may have seen the call. */
    volatile boolean attemptStarted;

    /** Whether the target may have seen the call in an earlier attempt. */
    volatile SentStatus sent = SentStatus.NO;

    int attempts;

    /** The state of its delayed retry; null if it is none. Written before other threads see the call. */
    private DelayedRetry delayedRetry;

    /** The trace of its message. Written before other threads see the call. */
    private MessageTrace trace = MessageTrace.NONE;

    /** The current attempt, or the last one. Confined to the worker's event loop. */
    Future<HttpResult> attempt;

    /** The worker of the current or the last attempt; null before the first. */
    volatile Worker worker;

    /** The hold of its worker; null while no worker holds it. */
    private volatile Hold hold;

    /** The registry of open calls; null if it was never registered. Written before other threads see the call. */
    private OpenCalls open;

    /** How often the watchdog has seen it past its deadline. Confined to the watchdog. */
    int overdueSweeps;

    Call(
            Delivery delivery,
            CallPermit permit,
            CallDeadline clock,
            RequestEnvelope envelope,
            HttpRequest request,
            Destination<Call> target,
            CallListener listener) {
        this.delivery = delivery;
        this.permit = permit;
        this.clock = clock;
        this.envelope = envelope;
        this.request = request;
        this.target = target;
        this.listener = listener;
    }

    /** Registers it until it ends. */
    Call registerIn(OpenCalls registry) {
        open = registry;
        registry.add(this);
        return this;
    }

    /** Removes it from the registry, because its source keeps the message. */
    void withdraw() {
        open.remove(this);
        permit.withdraw();
    }

    /** Assigns it to a worker. */
    void heldAs(Hold next) {
        worker = next.worker();
        hold = next;
    }

    boolean isHeldAs(Hold expected) {
        return hold == expected;
    }

    /** Changes its hold atomically; null removes it. Returns true if this caller changed it. */
    boolean change(Hold from, Hold to) {
        return HOLD.compareAndSet(this, from, to);
    }

    /** Returns a call for the same message, which its source offers again. */
    Call withPermit(CallPermit newPermit) {
        return new Call(delivery, newPermit, clock, envelope, request, target, listener)
                .resumeFrom(delayedRetry)
                .withTrace(trace);
    }

    Call withTrace(MessageTrace tracer) {
        trace = tracer;
        return this;
    }

    /** Returns the trace of its message. */
    MessageTrace trace() {
        return trace;
    }

    /** Returns the traceparent of the node's own trace, else that of the message. */
    @Override
    public String traceparent() {
        String ownTrace = trace.traceparent();
        return ownTrace != null ? ownTrace : delivery.header(TraceContext.TRACEPARENT);
    }

    /** Continues from the state of a delayed retry; does nothing if it is null. */
    Call resumeFrom(DelayedRetry before) {
        if (before != null) {
            delayedRetry = before;
            attempts = before.attempts();
            sent = before.sent();
        }
        return this;
    }

    /** Returns the state of its delayed retry; null if it is none. */
    DelayedRetry delayedRetry() {
        return delayedRetry;
    }

    /**
     * Returns the request of its next attempt, with the destination's current credential if the envelope names none. Null if the envelope
     * may not be tried.
     */
    HttpRequest nextRequest() {
        if (target == null || envelope.auth() != null) {
            return request;
        }
        String current = target.policy().defaultCredential();
        return Objects.equals(current, request.credential()) ? request : request.withCredential(current);
    }

    /** Returns the envelope's id, else the broker's correlation id, else the message's coordinates. */
    String id() {
        if (envelope != null && envelope.id() != null) {
            return envelope.id();
        }
        String correlation = delivery.correlationId();
        return correlation != null ? correlation : originCoordinates();
    }

    /** Returns the coordinates of its first message. */
    String originCoordinates() {
        return delayedRetry == null ? delivery.coordinates() : delayedRetry.originCoordinates();
    }

    /** Returns its destination's name; null if the envelope may not be tried. */
    String destinationName() {
        return target == null ? null : target.name();
    }

    /** Returns the envelope's reply mode; {@code NEVER} for a message that is not a readable envelope. */
    ReplyMode replyMode() {
        return envelope == null ? ReplyMode.NEVER : envelope.reply();
    }

    /** Returns the envelope's context, or null. */
    String context() {
        return envelope == null ? null : envelope.context();
    }

    /** Returns the envelope's reply-to, else that of the broker's protocol, else null. */
    String replyTo() {
        return envelope != null && envelope.replyTo() != null ? envelope.replyTo() : delivery.replyTo();
    }

    /** Ends the call. Returns true only for the first caller, which then reports the result. */
    boolean tryEnd() {
        try {
            if (!permit.tryEnd()) {
                return false;
            }
        } catch (Throwable bug) {
            logDefect("Call ended despite a defect", bug);
        }
        if (open != null) {
            open.remove(this);
        }
        return true;
    }

    /** Reports an HTTP answer. Only for the caller that {@linkplain #tryEnd ended} the call; never throws. */
    void reportAnswer(HttpResult.Response response) {
        try {
            listener.answered(this, response);
        } catch (Throwable bug) {
            reportDefect(bug);
        }
    }

    /** Reports that there is no answer. Only for the caller that {@linkplain #tryEnd ended} the call; never throws. */
    void reportFailure(ErrorCode code, String message, SentStatus maybeSent, AttemptTiming timing) {
        try {
            listener.failed(this, code, message, maybeSent, timing);
        } catch (Throwable bug) {
            logDefect("Call could not be ended; its message returns to its queue", bug);
            releaseLater();
        }
    }

    /** Releases its message. Only for the caller that {@linkplain #tryEnd ended} the call; never throws. */
    void release() {
        try {
            listener.release(this);
        } catch (Throwable bug) {
            logDefect("Message could not be released", bug);
        } finally {
            if (!permit.isReleased()) {
                permit.release();
            }
        }
    }

    /** Releases its message after a pause, because a defect prevents its answer. Otherwise like {@link #release}. */
    void releaseLater() {
        try {
            listener.releaseLater(this);
        } catch (Throwable bug) {
            logDefect("Message could not be released later", bug);
            release();
        }
    }

    /** Ends it with {@code internal}, unless it has ended. Never throws. */
    void failWithDefect(Throwable bug) {
        if (tryEnd()) {
            logDefect("Call failed because of a defect", bug);
            reportFailure(ErrorCode.INTERNAL, ErrorCode.INTERNAL.description(), sentSoFar(), AttemptTiming.NONE);
        }
    }

    /** Ends it with {@code internal} after a defect in passing its answer on. Never throws. */
    void reportDefect(Throwable bug) {
        logDefect("Answer could not be passed on", bug);
        reportFailure(ErrorCode.INTERNAL, ErrorCode.INTERNAL.description(), SentStatus.MAYBE, AttemptTiming.NONE);
    }

    private void logDefect(String event, Throwable bug) {
        long suppressed = DEFECTS.pollSuppressed(System.nanoTime());
        if (suppressed != LogThrottle.NOT_DUE) {
            LOG.error("{} source={} suppressed={}", event, delivery.coordinates(), suppressed, bug);
        }
    }

    /** Returns whether the target may have seen it, including the current attempt. */
    SentStatus sentSoFar() {
        return attemptStarted ? SentStatus.MAYBE : sent;
    }

    /** Ends the current attempt, whose result is no longer needed. */
    void cancelAttempt() {
        Worker current = worker;
        if (current != null) {
            current.cancel(this);
        }
    }

    /** Ends the call and its current attempt without a result, because the result is no longer needed. */
    void cancel() {
        Worker current = worker;
        if (current != null) {
            current.cancel(this);
        } else {
            endWithoutResult();
        }
    }

    /** Ends the call, unless it has ended, and removes it from the queue of its destination. */
    void endWithoutResult() {
        if (tryEnd()) {
            permit.release();
            if (target != null) {
                target.removeWaiting(this);
            }
        }
    }

    /** Returns whether the timeout of an attempt with this limit is a failure of its destination. */
    boolean isConclusiveTimeout(long limitNanos) {
        return clock.isFullAttempt(limitNanos) && target.isConclusiveTimeout(limitNanos);
    }

    /** Returns whether the call has ended. */
    boolean isEnded() {
        return permit.isEnded();
    }

    @Override
    public CallPermit permit() {
        return permit;
    }

    @Override
    public long deadlineNanos() {
        return clock.deadlineNanos();
    }

    @Override
    public long queuedBytes() {
        return Math.max(delivery.payload().length, permit.messageBytes());
    }

    @Override
    public boolean isRetry() {
        return attempts > 0;
    }
}

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
 * One call on its way from {@link Dispatcher} to its {@link CallListener}: that of a message, or one of several of a message. What
 * changes in it belongs to the event loop of the worker that has it, or while it waits to its destination; only its end may
 * come from elsewhere, and the first end wins.
 */
final class Call implements PendingCall, Traced {

    private static final Logger LOG = LoggerFactory.getLogger(Call.class);
    private static final LogThrottle DEFECTS = new LogThrottle(System.nanoTime());
    private static final AtomicReferenceFieldUpdater<Call, Hold> HOLD =
            AtomicReferenceFieldUpdater.newUpdater(Call.class, Hold.class, "hold");

    final Delivery delivery;
    final CallPermit permit;
    final CallDeadline clock;
    /** Null if the message was no envelope. */
    final RequestEnvelope envelope;
    /** Null if the envelope may not be tried. */
    final HttpRequest request;
    /** Null if the envelope may not be tried. */
    final Destination<Call> target;
    /** Learns how the call ended, only through {@link #reportAnswer}, {@link #reportFailure} and {@link #release}. */
    final CallListener ending;

    /** Whether the attempt was begun: from then on the target may have seen the call. */
    volatile boolean begun;

    /** Whether the target may have seen it in the attempts that are over. */
    volatile SentStatus sent = SentStatus.NO;

    int attempts;

    /** How far it had come before it was put off; null if it never was. Written before others see the call. */
    private DelayedRetry earlier;

    /** Who follows its message. Written before others see the call. */
    private MessageTrace trace = MessageTrace.NONE;

    /** The attempt under way, or the last one; the worker's alone. */
    Future<HttpResult> attempt;

    /** Who makes its attempts, or made the last one; null before the first. */
    volatile Worker worker;

    /** How a worker has it now; null while no worker has it. */
    private volatile Hold hold;

    /** Where it is registered until it ends; null if it was never registered. Written before other threads see the call. */
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
            CallListener ending) {
        this.delivery = delivery;
        this.permit = permit;
        this.clock = clock;
        this.envelope = envelope;
        this.request = request;
        this.target = target;
        this.ending = ending;
    }

    /** Registers it until it ends. */
    Call registerIn(OpenCalls registry) {
        open = registry;
        registry.add(this);
        return this;
    }

    /** Removes it from the register, because its source keeps it. */
    void withdraw() {
        open.remove(this);
        permit.withdraw();
    }

    /** Assigns it to a worker. */
    void heldAs(Hold next) {
        worker = next.worker();
        hold = next;
    }

    boolean isHeldAs(Hold asked) {
        return hold == asked;
    }

    /** Changes how a worker has it; null takes it away. Returns true for the one caller that does. */
    boolean change(Hold from, Hold to) {
        return HOLD.compareAndSet(this, from, to);
    }

    /** The same message, offered once more. */
    Call withPermit(CallPermit another) {
        return new Call(delivery, another, clock, envelope, request, target, ending)
                .resumeFrom(earlier)
                .withTrace(trace);
    }

    Call withTrace(MessageTrace tracer) {
        trace = tracer;
        return this;
    }

    /** Who follows its message. */
    MessageTrace trace() {
        return trace;
    }

    /** The trace that the node has made of the message, else the one that the message came with. */
    @Override
    public String traceparent() {
        String own = trace.traceparent();
        return own != null ? own : delivery.header(TraceContext.TRACEPARENT);
    }

    /** Goes on where it was when it was put off; null if it was not. */
    Call resumeFrom(DelayedRetry before) {
        if (before != null) {
            earlier = before;
            attempts = before.attempts();
            sent = before.sent();
        }
        return this;
    }

    /** How far it had come before it was put off; null if it never was. */
    DelayedRetry delayedRetry() {
        return earlier;
    }

    /**
     * The request as its next attempt makes it: with the credential that its destination has now, where the envelope names
     * none. Null if the envelope may not be tried.
     */
    HttpRequest nextRequest() {
        if (target == null || envelope.auth() != null) {
            return request;
        }
        String usual = target.policy().defaultCredential();
        return Objects.equals(usual, request.credential()) ? request : request.withCredential(usual);
    }

    /** The envelope's id, else the broker's correlation id, else where the message stands. */
    String id() {
        if (envelope != null && envelope.id() != null) {
            return envelope.id();
        }
        String correlation = delivery.correlationId();
        return correlation != null ? correlation : originCoordinates();
    }

    /** Where its message stood first. */
    String originCoordinates() {
        return earlier == null ? delivery.coordinates() : earlier.originCoordinates();
    }

    /** The name of whom it is made to; null if the envelope may not be tried. */
    String destinationName() {
        return target == null ? null : target.name();
    }

    /** A message that is no envelope says nothing of its wishes, and cannot be answered. */
    ReplyMode replyMode() {
        return envelope == null ? ReplyMode.NEVER : envelope.reply();
    }

    /** What the sender wants echoed, or null. */
    String context() {
        return envelope == null ? null : envelope.context();
    }

    /** Where the sender wants its answer: by the envelope, else by the broker's own protocol, else null. */
    String replyTo() {
        return envelope != null && envelope.replyTo() != null ? envelope.replyTo() : delivery.replyTo();
    }

    /** True for the first caller only, who then ends the message. */
    boolean tryEnd() {
        if (!permit.tryEnd()) {
            return false;
        }
        if (open != null) {
            open.remove(this);
        }
        return true;
    }

    /** Reports an HTTP answer. Only for the caller that {@linkplain #tryEnd ended} the call; never throws. */
    void reportAnswer(HttpResult.Response response) {
        try {
            ending.answered(this, response);
        } catch (Throwable bug) {
            reportDefect(bug);
        }
    }

    /** Reports that there is no answer. Only for the caller that {@linkplain #tryEnd ended} the call; never throws. */
    void reportFailure(ErrorCode code, String message, SentStatus maybeSent, AttemptTiming timing) {
        try {
            ending.failed(this, code, message, maybeSent, timing);
        } catch (Throwable bug) {
            logDefect("Call could not be ended; its message returns to its queue", bug);
            release();
        }
    }

    /** Releases its message. Only for the caller that {@linkplain #tryEnd ended} the call; never throws. */
    void release() {
        try {
            ending.release(this);
        } catch (Throwable bug) {
            logDefect("Message could not be released", bug);
        } finally {
            if (!permit.isReleased()) {
                permit.release();
            }
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
        return begun ? SentStatus.MAYBE : sent;
    }

    /** Ends the current attempt, whose result is no longer needed. */
    void cancelAttempt() {
        Worker makes = worker;
        if (makes != null) {
            makes.cancel(this);
        }
    }

    /** Ends it without a word, with the attempt under way: nobody waits for the result any more. */
    void cancel() {
        Worker makes = worker;
        if (makes != null) {
            makes.cancel(this);
        } else if (tryEnd()) {
            permit.release();
        }
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

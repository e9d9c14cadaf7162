package io.iocluster.pipeline.call;

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
import io.iocluster.message.usable.Usability;
import io.iocluster.message.usable.UsableRule;
import io.iocluster.producer.App;
import io.iocluster.trace.MessageTrace;
import io.iocluster.trace.Traced;
import io.iocluster.transport.DelayedRetry;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.TraceContext;
import io.iocluster.usable.UsableCheck;
import io.iocluster.usable.UsableSettings;
import java.util.Objects;
import org.slf4j.event.Level;

/**
 * One call of a message, from the {@code Dispatcher} to its {@link CallListener}. Immutable: what changes is its {@link CallProgress} and
 * its {@link CallPermit}. Any thread may {@linkplain #tryEnd end} it; the first one wins.
 */
public final class Call implements PendingCall, Traced {

    private final Delivery delivery;
    private final CallPermit permit;
    private final CallDeadline deadline;
    /** Null if the message is not a readable envelope. */
    private final RequestEnvelope envelope;
    /** Null if the envelope may not be tried. */
    private final HttpRequest request;
    /** Null if the envelope may not be tried. */
    private final Destination<Call> target;
    /** Learns how the call ended, only through {@link #reportAnswer}, {@link #reportFailure} and {@link #release}. */
    private final CallListener listener;

    /** The state of the delayed retry that its message carries; null if it carries none. */
    private final DelayedRetry delayedRetry;

    private final MessageTrace trace;
    private final App<Call> app;
    private final CallProgress progress;

    private final OpenCalls open;
    private final int number;

    /**
     * Creates a call that is not {@linkplain #register registered}.
     *
     * @param envelope null if the message is not a readable envelope
     * @param request null if the envelope may not be tried, like {@code target}
     * @param listener learns how the call ended
     * @param delayedRetry the state of the delayed retry that the message carries; null if it carries none
     * @param app the app that sent the message
     * @param open the registry of calls that have not ended
     */
    public Call(
            Delivery delivery,
            CallPermit permit,
            CallDeadline deadline,
            RequestEnvelope envelope,
            HttpRequest request,
            Destination<Call> target,
            CallListener listener,
            DelayedRetry delayedRetry,
            MessageTrace trace,
            App<Call> app,
            OpenCalls open) {
        this.delivery = delivery;
        this.permit = permit;
        this.deadline = deadline;
        this.envelope = envelope;
        this.request = request;
        this.target = target;
        this.listener = listener;
        this.delayedRetry = delayedRetry;
        this.trace = trace;
        this.app = app;
        this.open = open;
        this.number = open.nextNumber();
        this.progress = delayedRetry == null
                ? new CallProgress(0, SentStatus.NO)
                : new CallProgress(delayedRetry.attempts(), delayedRetry.sent());
    }

    /** Returns the number of the call on its node, so that sets of calls have the same order in each run of a simulation. */
    @Override
    public int hashCode() {
        return number;
    }

    /** Registers the call until it ends. Returns the call. */
    public Call register() {
        open.add(this);
        return this;
    }

    /** Removes it from the registry, because its source keeps the message. */
    public void withdraw() {
        open.remove(this);
        permit.withdraw();
        CallInterceptor interceptor = progress.interceptor();
        if (interceptor != null) {
            interceptor.withdrawn(this);
        }
    }

    /** Returns a copy with another permit, because the source offers the same message again. */
    public Call withPermit(CallPermit newPermit) {
        return new Call(
                delivery, newPermit, deadline, envelope, request, target, listener, delayedRetry, trace, app, open);
    }

    /** Returns the message. */
    public Delivery delivery() {
        return delivery;
    }

    /** Returns its deadline and the times that it was computed from. */
    public CallDeadline deadline() {
        return deadline;
    }

    /** Returns its envelope; null if the message is not a readable envelope. */
    public RequestEnvelope envelope() {
        return envelope;
    }

    /** Returns its HTTP request; null if the envelope may not be tried. */
    public HttpRequest request() {
        return request;
    }

    /** Returns its destination; null if the envelope may not be tried. */
    public Destination<Call> target() {
        return target;
    }

    /** Returns the listener that learns how the call ended. */
    public CallListener listener() {
        return listener;
    }

    /** Returns its mutable state. */
    public CallProgress progress() {
        return progress;
    }

    /** Returns the trace of its message. */
    public MessageTrace trace() {
        return trace;
    }

    /** Returns the app that sent its message. */
    public App<Call> app() {
        return app;
    }

    /** Returns the traceparent of the node's own trace, else that of the message. */
    @Override
    public String traceparent() {
        String ownTrace = trace.traceparent();
        if (ownTrace != null) {
            return ownTrace;
        }
        TraceContext sent = delivery.traceContext();
        return sent == null ? null : sent.traceparent();
    }

    /** Returns the state of the delayed retry that its message carries; null if it carries none. */
    public DelayedRetry delayedRetry() {
        return delayedRetry;
    }

    /**
     * Returns the request of its next attempt, with the destination's current credential if the envelope names none. Null if the envelope
     * may not be tried.
     */
    public HttpRequest nextRequest() {
        if (target == null) {
            return request;
        }
        String credential =
                envelope.auth() != null ? envelope.auth() : target.policy().defaultCredential();
        HttpRequest next =
                Objects.equals(credential, request.credential()) ? request : request.withCredential(credential);
        HttpRequest named = next.credential() == null || next.callId() != null ? next : next.withCallId(id());
        return target.policy().upstreams().isEnabled() ? named.withUpstreamHistory(progress.upstreamHistory()) : named;
    }

    /** Checks an answer by the rule of the envelope, else of the destination. Returns it unchanged if it is checked or neither has a rule. */
    public HttpResult.Response checkUsable(HttpResult.Response response) {
        UsableSettings settings = target.policy().usable();
        UsableRule rule = settings.ruleFor(envelope.usable());
        return rule == null || response.usability() != Usability.UNCHECKED
                ? response
                : UsableCheck.check(response, rule, settings.maxBodyBytes());
    }

    /** Returns the envelope's id, else the broker's correlation id, else the message's coordinates. */
    public String id() {
        if (envelope != null && envelope.id() != null) {
            return envelope.id();
        }
        String correlation = delivery.correlationId();
        return correlation != null && !correlation.isEmpty() ? correlation : originCoordinates();
    }

    /** Returns the coordinates of its first message. */
    public String originCoordinates() {
        return delayedRetry == null ? delivery.coordinates() : delayedRetry.originCoordinates();
    }

    /** Returns its destination's name; null if the envelope may not be tried. */
    public String destinationName() {
        return target == null ? null : target.name();
    }

    /** Returns the envelope's reply mode; {@code NEVER} for a message that is not a readable envelope. */
    public ReplyMode replyMode() {
        return envelope == null ? ReplyMode.NEVER : envelope.reply();
    }

    /** Returns the envelope's context, or null. */
    public String context() {
        return envelope == null ? null : envelope.context();
    }

    /** Returns the envelope's reply-to, else that of the broker's protocol, else null. */
    public String replyTo() {
        return envelope != null && envelope.replyTo() != null ? envelope.replyTo() : delivery.replyTo();
    }

    /** Ends the call. Returns true only for the first caller, which then reports the result. */
    public boolean tryEnd() {
        try {
            if (!permit.tryEnd()) {
                return false;
            }
        } catch (Throwable bug) {
            logDefect("Call ended despite a defect", bug);
        }
        try {
            progress.endHedge();
        } catch (Throwable bug) {
            logDefect("Second attempt ended despite a defect", bug);
        }
        open.remove(this);
        CallInterceptor interceptor = progress.interceptor();
        if (interceptor != null) {
            interceptor.ended(this);
        }
        return true;
    }

    /** Reports an HTTP answer. Only for the caller that {@linkplain #tryEnd ended} the call; never throws. */
    public void reportAnswer(HttpResult.Response response) {
        try {
            listener.answered(this, checkUsable(response));
        } catch (Throwable bug) {
            reportDefect(bug);
        }
    }

    /**
     * Reports that there is no answer. Only for the caller that {@linkplain #tryEnd ended} the call; never throws.
     *
     * @param last whether the target may have seen the last attempt; an earlier one that it may have seen counts too
     */
    public void reportFailure(ErrorCode code, String message, SentStatus last, AttemptTiming timing) {
        try {
            listener.failed(this, code, message, last == SentStatus.NO ? progress.sent() : last, timing);
        } catch (Throwable bug) {
            logDefect("Call could not be ended; its message returns to its queue", bug);
            releaseLater();
        }
    }

    /** Ends it with the code and its description. Otherwise like {@link #fail(ErrorCode, String)}. */
    public void fail(ErrorCode code) {
        fail(code, code.description());
    }

    /** Ends it with a failure that is not the result of an attempt, unless it has ended. Never throws. */
    public void fail(ErrorCode code, String message) {
        if (tryEnd()) {
            reportFailure(code, message, progress.sent(), AttemptTiming.NONE);
        }
    }

    /** Ends it and releases its message, unless it has ended. Never throws. */
    public void endAndRelease() {
        if (tryEnd()) {
            release();
        }
    }

    /** Releases its message. Only for the caller that {@linkplain #tryEnd ended} the call; never throws. */
    public void release() {
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
    public void releaseLater() {
        try {
            listener.releaseLater(this);
        } catch (Throwable bug) {
            logDefect("Message could not be released later", bug);
            release();
        }
    }

    /** Ends it with {@code internal}, unless it has ended. Never throws. */
    public void failWithDefect(Throwable bug) {
        if (tryEnd()) {
            logDefect("Call failed because of a defect", bug);
            reportFailure(
                    ErrorCode.INTERNAL, ErrorCode.INTERNAL.description(), progress.sentSoFar(), AttemptTiming.NONE);
        }
    }

    /** Ends it with {@code internal}, because its answer could not be passed on. Never throws. */
    public void reportDefect(Throwable bug) {
        logDefect("Answer could not be passed on", bug);
        reportFailure(ErrorCode.INTERNAL, ErrorCode.INTERNAL.description(), SentStatus.MAYBE, AttemptTiming.NONE);
    }

    private void logDefect(String event, Throwable bug) {
        open.defects()
                .log(Level.ERROR, line -> addTo(line).setCause(bug), "{} source={}", event, delivery.coordinates());
    }

    /** Ends the current attempt, whose result is no longer needed. */
    public void cancelAttempt() {
        CallOwner owner = progress.owner();
        if (owner != null) {
            owner.cancel(this);
        }
    }

    /** Ends the call and its current attempt without a result, because the result is no longer needed. */
    public void cancel() {
        CallOwner owner = progress.owner();
        if (owner != null) {
            owner.cancel(this);
        } else {
            endWithoutResult();
        }
    }

    /** Ends the call, unless it has ended, and removes it from the queue of its destination. */
    public void endWithoutResult() {
        if (tryEnd()) {
            permit.release();
            if (target != null) {
                target.removeWaiting(this);
            }
        }
    }

    /** Returns whether the timeout of an attempt with this limit is a failure of its destination. */
    public boolean isConclusiveTimeout(long limitNanos) {
        return deadline.isFullAttempt(limitNanos) && target.isConclusiveTimeout(limitNanos);
    }

    /** Returns whether the call has ended. */
    public boolean isEnded() {
        return permit.isEnded();
    }

    @Override
    public CallPermit permit() {
        return permit;
    }

    @Override
    public long deadlineNanos() {
        return deadline.deadlineNanos();
    }

    @Override
    public long attemptNanos(long nowNanos) {
        return Math.min(deadline.attemptTimeoutNanos(), deadline.remainingNanos(nowNanos));
    }

    @Override
    public long queuedBytes() {
        return Math.max(delivery.payload().length, permit.messageBytes());
    }

    @Override
    public boolean isRetry() {
        return progress.attempts() > 0;
    }
}

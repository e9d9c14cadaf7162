package io.iocluster.pipeline.event;

import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.log.LogThrottle;
import io.iocluster.message.Answer;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.trace.Traced;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Forwards events and logs exceptions of the listener, so that metrics cannot break a call. Thread-safe. */
public final class GuardedPipelineEvents implements PipelineEvents {

    private static final Logger LOG = LoggerFactory.getLogger(GuardedPipelineEvents.class);

    private final PipelineEvents listener;
    private final NodeClock clock;
    private final LogThrottle failures;

    public GuardedPipelineEvents(PipelineEvents listener, NodeClock clock) {
        this.listener = listener;
        this.clock = clock;
        this.failures = new LogThrottle(clock.nanos());
    }

    @Override
    public void received(long queuedMillis) {
        notifyListener(() -> listener.received(queuedMillis));
    }

    @Override
    public void attempted(String destination) {
        notifyListener(() -> listener.attempted(destination));
    }

    @Override
    public void attemptEnded(String destination, HttpResult result, long nanos) {
        notifyListener(() -> listener.attemptEnded(destination, result, nanos));
    }

    @Override
    public void retried(String destination, String reason) {
        notifyListener(() -> listener.retried(destination, reason));
    }

    @Override
    public void delayed(String destination, String reason) {
        notifyListener(() -> listener.delayed(destination, reason));
    }

    @Override
    public void callEnded(String destination, Outcome outcome, int status, ErrorCode error, long nanos, Traced call) {
        notifyListener(() -> listener.callEnded(destination, outcome, status, error, nanos, call));
    }

    @Override
    public void callError(String destination, ErrorCode error) {
        notifyListener(() -> listener.callError(destination, error));
    }

    @Override
    public void callFailed(String id, String destination, ErrorCode error, String message, int attempts) {
        notifyListener(() -> listener.callFailed(id, destination, error, message, attempts));
    }

    @Override
    public boolean isTapped() {
        return listener.isTapped();
    }

    @Override
    public void callTapped(String position, String destination, HttpRequest request, Answer answer) {
        notifyListener(() -> listener.callTapped(position, destination, request, answer));
    }

    @Override
    public void acknowledged(long endToEndMillis, Traced call) {
        notifyListener(() -> listener.acknowledged(endToEndMillis, call));
    }

    @Override
    public void released() {
        notifyListener(() -> listener.released());
    }

    @Override
    public void deadLettered(ErrorCode code) {
        notifyListener(() -> listener.deadLettered(code));
    }

    @Override
    public void answerRepublished() {
        notifyListener(() -> listener.answerRepublished());
    }

    @Override
    public void answerDiverted(boolean toDeadLetters) {
        notifyListener(() -> listener.answerDiverted(toDeadLetters));
    }

    @Override
    public void answerTruncated() {
        notifyListener(() -> listener.answerTruncated());
    }

    @Override
    public void deadLetterTruncated() {
        notifyListener(() -> listener.deadLetterTruncated());
    }

    @Override
    public void egressViolation(ErrorCode code) {
        notifyListener(() -> listener.egressViolation(code));
    }

    @Override
    public void watchdogTimeout(String destination) {
        notifyListener(() -> listener.watchdogTimeout(destination));
    }

    @Override
    public void workerReplaced(String worker) {
        notifyListener(() -> listener.workerReplaced(worker));
    }

    private void notifyListener(Runnable event) {
        try {
            event.run();
        } catch (Throwable bug) {
            long suppressed = failures.pollSuppressed(clock.nanos());
            if (suppressed != LogThrottle.NOT_DUE) {
                LOG.error("Event listener failed suppressed={}", suppressed, bug);
            }
        }
    }
}

package io.iocluster.pipeline.event;

import io.iocluster.hedge.HedgeResult;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.log.LogThrottle;
import io.iocluster.message.Answer;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.thread.NodeClock;
import io.iocluster.trace.Traced;
import io.iocluster.transport.IgnoredInput;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells listeners each event in turn, and logs their exceptions, so that metrics cannot break a call. Thread-safe.
 *
 * <p>The lambdas cost no allocation on the hot path: none leaves {@link #each}, so the compiler keeps them in registers.
 */
public final class GuardedPipelineEvents implements PipelineEvents {

    private static final Logger LOG = LoggerFactory.getLogger(GuardedPipelineEvents.class);

    private final PipelineEvents[] listeners;
    private final LogThrottle failures;

    public GuardedPipelineEvents(NodeClock clock, PipelineEvents... listeners) {
        this.listeners = listeners.clone();
        this.failures = new LogThrottle(LOG, clock::nanos);
    }

    @Override
    public void received(long queuedMillis) {
        each(listener -> listener.received(queuedMillis));
    }

    @Override
    public void inputIgnored(IgnoredInput input) {
        each(listener -> listener.inputIgnored(input));
    }

    @Override
    public void redelivered(String destination) {
        each(listener -> listener.redelivered(destination));
    }

    @Override
    public void attempted(String destination, int bodyBytes) {
        each(listener -> listener.attempted(destination, bodyBytes));
    }

    @Override
    public void attemptEnded(String destination, HttpResult result, long nanos) {
        each(listener -> listener.attemptEnded(destination, result, nanos));
    }

    @Override
    public void hedged(String destination, HedgeResult result) {
        each(listener -> listener.hedged(destination, result));
    }

    @Override
    public void retried(String destination, String reason) {
        each(listener -> listener.retried(destination, reason));
    }

    @Override
    public void delayed(String destination, String reason) {
        each(listener -> listener.delayed(destination, reason));
    }

    @Override
    public void callEnded(String destination, Outcome outcome, int status, ErrorCode error, long nanos, Traced call) {
        each(listener -> listener.callEnded(destination, outcome, status, error, nanos, call));
    }

    @Override
    public void callError(String destination, ErrorCode error) {
        each(listener -> listener.callError(destination, error));
    }

    @Override
    public void callFailed(String id, String destination, ErrorCode error, String message, int attempts) {
        each(listener -> listener.callFailed(id, destination, error, message, attempts));
    }

    @Override
    public boolean isTapped() {
        for (PipelineEvents listener : listeners) {
            if (listener.isTapped()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void callTapped(String position, String destination, HttpRequest request, Answer answer) {
        each(listener -> listener.callTapped(position, destination, request, answer));
    }

    @Override
    public void acknowledged(long endToEndMillis, Traced call) {
        each(listener -> listener.acknowledged(endToEndMillis, call));
    }

    @Override
    public void released() {
        each(listener -> listener.released());
    }

    @Override
    public void deadLettered(ErrorCode code) {
        each(listener -> listener.deadLettered(code));
    }

    @Override
    public void answerRepublished() {
        each(listener -> listener.answerRepublished());
    }

    @Override
    public void answerDiverted(boolean toDeadLetters) {
        each(listener -> listener.answerDiverted(toDeadLetters));
    }

    @Override
    public void answerTruncated() {
        each(listener -> listener.answerTruncated());
    }

    @Override
    public void deadLetterTruncated() {
        each(listener -> listener.deadLetterTruncated());
    }

    @Override
    public void egressViolation(ErrorCode code) {
        each(listener -> listener.egressViolation(code));
    }

    @Override
    public void watchdogTimeout(String destination) {
        each(listener -> listener.watchdogTimeout(destination));
    }

    @Override
    public void workerReplaced(String worker) {
        each(listener -> listener.workerReplaced(worker));
    }

    private void each(Consumer<PipelineEvents> event) {
        for (PipelineEvents listener : listeners) {
            try {
                event.accept(listener);
            } catch (Throwable bug) {
                log(bug);
            }
        }
    }

    private void log(Throwable bug) {
        failures.error("Event listener failed", bug);
    }
}

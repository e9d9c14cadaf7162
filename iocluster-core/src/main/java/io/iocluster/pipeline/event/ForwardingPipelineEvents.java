package io.iocluster.pipeline.event;

import io.iocluster.hedge.HedgeResult;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.message.Answer;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.trace.Traced;
import io.iocluster.transport.IgnoredInput;

/** Forwards every event to another listener. Subclasses add what they need. Immutable. */
public class ForwardingPipelineEvents implements PipelineEvents {

    private final PipelineEvents listener;

    protected ForwardingPipelineEvents(PipelineEvents listener) {
        this.listener = listener;
    }

    @Override
    public void received(long queuedMillis) {
        listener.received(queuedMillis);
    }

    @Override
    public void inputIgnored(IgnoredInput input) {
        listener.inputIgnored(input);
    }

    @Override
    public void redelivered(String destination) {
        listener.redelivered(destination);
    }

    @Override
    public void attempted(String destination, int bodyBytes) {
        listener.attempted(destination, bodyBytes);
    }

    @Override
    public void attemptEnded(String destination, HttpResult result, long nanos) {
        listener.attemptEnded(destination, result, nanos);
    }

    @Override
    public void hedged(String destination, HedgeResult result) {
        listener.hedged(destination, result);
    }

    @Override
    public void retried(String destination, String reason) {
        listener.retried(destination, reason);
    }

    @Override
    public void delayed(String destination, String reason) {
        listener.delayed(destination, reason);
    }

    @Override
    public void callEnded(String destination, Outcome outcome, int status, ErrorCode error, long nanos, Traced call) {
        listener.callEnded(destination, outcome, status, error, nanos, call);
    }

    @Override
    public void callError(String destination, ErrorCode error) {
        listener.callError(destination, error);
    }

    @Override
    public void callFailed(String id, String destination, ErrorCode error, String message, int attempts) {
        listener.callFailed(id, destination, error, message, attempts);
    }

    @Override
    public boolean isTapped() {
        return listener.isTapped();
    }

    @Override
    public void callTapped(String position, String destination, HttpRequest request, Answer answer) {
        listener.callTapped(position, destination, request, answer);
    }

    @Override
    public void acknowledged(long endToEndMillis, Traced call) {
        listener.acknowledged(endToEndMillis, call);
    }

    @Override
    public void released() {
        listener.released();
    }

    @Override
    public void deadLettered(ErrorCode code) {
        listener.deadLettered(code);
    }

    @Override
    public void answerRepublished() {
        listener.answerRepublished();
    }

    @Override
    public void answerDiverted(boolean toDeadLetters) {
        listener.answerDiverted(toDeadLetters);
    }

    @Override
    public void answerTruncated() {
        listener.answerTruncated();
    }

    @Override
    public void deadLetterTruncated() {
        listener.deadLetterTruncated();
    }

    @Override
    public void egressViolation(ErrorCode code) {
        listener.egressViolation(code);
    }

    @Override
    public void watchdogTimeout(String destination) {
        listener.watchdogTimeout(destination);
    }

    @Override
    public void workerReplaced(String worker) {
        listener.workerReplaced(worker);
    }
}

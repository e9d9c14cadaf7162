package io.iocluster.lab.demo;

import io.iocluster.http.HttpResult;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.trace.Traced;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** Records the duration of each call and forwards all events of the pipeline. Thread-safe. */
final class CallLatencyRecorder implements PipelineEvents {

    private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final PipelineEvents next;
    private final Recorder recorder = new Recorder(MAX_NANOS, 3);

    CallLatencyRecorder(PipelineEvents next) {
        this.next = next;
    }

    @Override
    public void callEnded(String destination, Outcome outcome, int status, ErrorCode error, long nanos, Traced call) {
        recorder.recordValue(Math.min(MAX_NANOS, Math.max(0, nanos)));
        next.callEnded(destination, outcome, status, error, nanos, call);
    }

    @Override
    public void callError(String destination, ErrorCode error) {
        next.callError(destination, error);
    }

    @Override
    public void callFailed(String id, String destination, ErrorCode error, String message, int attempts) {
        next.callFailed(id, destination, error, message, attempts);
    }

    /** Returns the durations, in nanoseconds, recorded since the previous call of this method. */
    Histogram intervalHistogram() {
        return recorder.getIntervalHistogram();
    }

    @Override
    public void received(long queuedMillis) {
        next.received(queuedMillis);
    }

    @Override
    public void attempted(String destination) {
        next.attempted(destination);
    }

    @Override
    public void attemptEnded(String destination, HttpResult result, long nanos) {
        next.attemptEnded(destination, result, nanos);
    }

    @Override
    public void retried(String destination, String reason) {
        next.retried(destination, reason);
    }

    @Override
    public void delayed(String destination, String reason) {
        next.delayed(destination, reason);
    }

    @Override
    public void acknowledged(long endToEndMillis, Traced call) {
        next.acknowledged(endToEndMillis, call);
    }

    @Override
    public void released() {
        next.released();
    }

    @Override
    public void deadLettered(ErrorCode code) {
        next.deadLettered(code);
    }

    @Override
    public void egressViolation(ErrorCode code) {
        next.egressViolation(code);
    }

    @Override
    public void workerReplaced(String worker) {
        next.workerReplaced(worker);
    }

    @Override
    public void answerRepublished() {
        next.answerRepublished();
    }

    @Override
    public void answerDiverted(boolean toDeadLetters) {
        next.answerDiverted(toDeadLetters);
    }

    @Override
    public void answerTruncated() {
        next.answerTruncated();
    }

    @Override
    public void deadLetterTruncated() {
        next.deadLetterTruncated();
    }

    @Override
    public void watchdogTimeout(String destination) {
        next.watchdogTimeout(destination);
    }
}

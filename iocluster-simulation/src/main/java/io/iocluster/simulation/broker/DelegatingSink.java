package io.iocluster.simulation.broker;

import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.DelayedRetry;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.TraceContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Passes everything on to another sink. A subclass observes or changes a part. */
public class DelegatingSink implements ResponseSink {

    private final ResponseSink sink;

    /** Creates a sink that passes everything on to this one. */
    public DelegatingSink(ResponseSink sink) {
        this.sink = sink;
    }

    @Override
    public void start() {
        sink.start();
    }

    @Override
    public boolean isReachable() {
        return sink.isReachable();
    }

    @Override
    public int isolatedQueues() {
        return sink.isolatedQueues();
    }

    @Override
    public boolean isReplyToAllowed(Delivery request, String replyTo) {
        return sink.isReplyToAllowed(request, replyTo);
    }

    @Override
    public boolean isKnownMissing(String replyTo) {
        return sink.isKnownMissing(replyTo);
    }

    @Override
    public CompletionStage<PublishResult> publish(Delivery request, byte[] answer, String replyTo, TraceContext trace) {
        return sink.publish(request, answer, replyTo, trace);
    }

    @Override
    public CompletionStage<PublishResult> publishDeadLetter(Delivery request, DeadLetterReason reason) {
        return sink.publishDeadLetter(request, reason);
    }

    @Override
    public CompletionStage<PublishResult> publishAnswerAsDeadLetter(
            Delivery request, byte[] answer, DeadLetterReason reason) {
        return sink.publishAnswerAsDeadLetter(request, answer, reason);
    }

    @Override
    public List<Duration> supportedDelays() {
        return sink.supportedDelays();
    }

    @Override
    public CompletionStage<PublishResult> publishDelayedRetry(Delivery request, Duration delay, DelayedRetry retry) {
        return sink.publishDelayedRetry(request, delay, retry);
    }

    @Override
    public void close() {
        sink.close();
    }
}

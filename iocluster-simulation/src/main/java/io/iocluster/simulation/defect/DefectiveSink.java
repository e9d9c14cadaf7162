package io.iocluster.simulation.defect;

import io.iocluster.simulation.broker.DelegatingSink;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.DelayedRetry;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.TraceContext;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Passes everything on to the correct sink, with the deliveries that the transport knows. A subclass changes a part. */
class DefectiveSink extends DelegatingSink {

    /** What is published. */
    enum Kind {
        ANSWER,
        DEAD_LETTER,
        DELAYED_RETRY
    }

    DefectiveSink(ResponseSink correct) {
        super(correct);
    }

    /** Publishes a message. */
    CompletionStage<PublishResult> publish(Kind kind, Supplier<CompletionStage<PublishResult>> correctly) {
        return correctly.get();
    }

    /** Returns the bytes of an answer. */
    byte[] answer(byte[] bytes) {
        return bytes;
    }

    /** Returns the queue of an answer. */
    String queue(String replyTo) {
        return replyTo;
    }

    /** Returns the state of a delayed retry. */
    DelayedRetry state(DelayedRetry state) {
        return state;
    }

    @Override
    public boolean isReplyToAllowed(Delivery request, String replyTo) {
        return super.isReplyToAllowed(DefectiveDelivery.unwrap(request), replyTo);
    }

    @Override
    public CompletionStage<PublishResult> publish(Delivery request, byte[] answer, String replyTo, TraceContext trace) {
        byte[] bytes = answer(answer);
        return publish(
                Kind.ANSWER, () -> super.publish(DefectiveDelivery.unwrap(request), bytes, queue(replyTo), trace));
    }

    @Override
    public CompletionStage<PublishResult> publishDeadLetter(Delivery request, DeadLetterReason reason) {
        return publish(Kind.DEAD_LETTER, () -> super.publishDeadLetter(DefectiveDelivery.unwrap(request), reason));
    }

    @Override
    public CompletionStage<PublishResult> publishAnswerAsDeadLetter(
            Delivery request, byte[] answer, DeadLetterReason reason) {
        return publish(
                Kind.DEAD_LETTER,
                () -> super.publishAnswerAsDeadLetter(DefectiveDelivery.unwrap(request), answer, reason));
    }

    @Override
    public CompletionStage<PublishResult> publishDelayedRetry(Delivery request, Duration delay, DelayedRetry retry) {
        return publish(
                Kind.DELAYED_RETRY,
                () -> super.publishDelayedRetry(DefectiveDelivery.unwrap(request), delay, state(retry)));
    }
}

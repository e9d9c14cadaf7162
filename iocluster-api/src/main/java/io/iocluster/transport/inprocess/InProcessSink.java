package io.iocluster.transport.inprocess;

import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.ResponseSink;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A sink whose answers stay in this process, so that it confirms each one at once. It allows no reply-to. Thread-safe. */
public abstract class InProcessSink implements ResponseSink {

    /** The result of each publish. */
    protected static final CompletionStage<PublishResult> CONFIRMED =
            CompletableFuture.completedFuture(PublishResult.CONFIRMED);

    /** Starts nothing, because there is nothing to connect to. */
    @Override
    public void start() {}

    @Override
    public boolean isReplyToAllowed(Delivery request, String replyTo) {
        return false;
    }

    @Override
    public CompletionStage<PublishResult> publishAnswerAsDeadLetter(
            Delivery request, byte[] answer, DeadLetterReason reason) {
        return publishDeadLetter(request, reason);
    }

    @Override
    public void close() {}
}

package io.iocluster.door.local;

import io.iocluster.door.call.CallResult.Reason;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.TraceContext;
import io.iocluster.transport.inprocess.InProcessQueue;
import io.iocluster.transport.inprocess.InProcessSink;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;

/** A bounded mailbox of calls that wait for the pipeline, and a sink that gives each answer to its call. Thread-safe. */
final class LocalQueue extends InProcessSink implements InProcessQueue<LocalDelivery> {

    static final String NAME = "local";

    private static final String STOPPED = "the door stops";

    private final BlockingQueue<LocalDelivery> mailbox;
    private volatile boolean stopping;
    private volatile boolean closed;

    /** @param maxWaiting maximum number of calls that wait for the pipeline */
    LocalQueue(int maxWaiting) {
        this.mailbox = new LinkedBlockingQueue<>(maxWaiting);
    }

    /** Queues a call for the pipeline. Ends it if the mailbox is full or the transport stops. */
    void submit(LocalDelivery delivery) {
        if (stopping) {
            giveBack(delivery);
        } else if (!mailbox.offer(delivery)) {
            delivery.fail(Reason.FULL, "too many calls wait for the pipeline; try again later");
        } else if (closed) {
            failWaiting();
        }
    }

    @Override
    public LocalDelivery poll() {
        return mailbox.poll();
    }

    @Override
    public void giveBack(LocalDelivery call) {
        call.fail(Reason.UNAVAILABLE, STOPPED);
    }

    @Override
    public boolean stop() {
        stopping = true;
        return true;
    }

    private void failWaiting() {
        for (LocalDelivery each = mailbox.poll(); each != null; each = mailbox.poll()) {
            giveBack(each);
        }
    }

    @Override
    public SourceStatus status(boolean running, Set<PauseReason> reasons, boolean refused) {
        return new SourceStatus(running, null, reasons, mailbox.size(), List.of(), 0, 0);
    }

    @Override
    public CompletionStage<PublishResult> publish(Delivery request, byte[] answer, String replyTo, TraceContext trace) {
        ((LocalDelivery) request).answer(answer, trace);
        return CONFIRMED;
    }

    @Override
    public CompletionStage<PublishResult> publishDeadLetter(Delivery request, DeadLetterReason reason) {
        ((LocalDelivery) request).fail(Reason.DEAD_LETTER, reason.code() + ": " + reason.message());
        return CONFIRMED;
    }

    /** Ends the calls that wait. Called after the source has closed, or if it has never started. */
    @Override
    public void close() {
        stopping = true;
        closed = true;
        failWaiting();
    }
}

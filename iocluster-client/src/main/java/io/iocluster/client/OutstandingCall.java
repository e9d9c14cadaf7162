package io.iocluster.client;

import io.iocluster.client.CallTimeoutException.CallStage;
import io.iocluster.message.SentStatus;
import io.iocluster.thread.NodeClock;
import io.iocluster.transport.PublishResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One call without an answer, or one envelope without a confirmation. The first caller of {@link #claim} completes it:
 * the answer, the broker, the timer or the close of the client. Thread-safe.
 */
final class OutstandingCall extends CompletableFuture<byte[]> {

    private final String id;
    private final Duration timeout;
    private final NodeClock clock;
    private final long startNanos;
    private final AtomicBoolean claimed = new AtomicBoolean();
    private volatile boolean enqueued;
    private volatile Future<?> timer;
    /** Null before it begins and after the broker's confirmation. */
    private volatile CompletableFuture<PublishResult> publish;

    OutstandingCall(String id, Duration timeout, NodeClock clock) {
        this.clock = clock;
        this.startNanos = clock.nanos();
        this.id = id;
        this.timeout = timeout;
    }

    String id() {
        return id;
    }

    /** Returns the time until the deadline in nanoseconds; negative after it. */
    long remainingNanos() {
        return timeout.toNanos() - (clock.nanos() - startNanos);
    }

    Duration elapsed() {
        return Duration.ofNanos(clock.nanos() - startNanos);
    }

    void setTimeoutTask(Future<?> timer) {
        this.timer = timer;
    }

    /** Sets the publish to cancel when the call ends. Cancels it at once if the call has ended. */
    void setPublish(CompletableFuture<PublishResult> publish) {
        this.publish = publish;
        if (claimed.get()) {
            publish.cancel(false);
        }
    }

    /** Records that the broker has the request, and forgets the publish, which holds the message. */
    void markEnqueued() {
        enqueued = true;
        publish = null;
    }

    /** Claims the call. Returns true if this caller now owns it and must complete it. */
    boolean claim() {
        if (!claimed.compareAndSet(false, true)) {
            return false;
        }
        Future<?> timeoutTask = timer;
        if (timeoutTask != null) {
            timeoutTask.cancel(false);
        }
        CompletableFuture<PublishResult> pending = publish;
        if (pending != null) {
            pending.cancel(false);
        }
        return true;
    }

    IoClusterException timeoutException(String broker) {
        return new CallTimeoutException(id, timeout, enqueued ? CallStage.ENQUEUED : CallStage.UNCONFIRMED, broker);
    }

    IoClusterException closedException() {
        return new ClientClosedException(id, SentStatus.MAYBE);
    }
}

package io.iocluster.client;

import io.iocluster.client.CallTimeoutException.CallStage;
import io.iocluster.message.SentStatus;
import io.iocluster.transport.PublishResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One call that has no answer yet, or one envelope without its confirmation. Whoever is the first to {@link #claim} it ends it:
 * the answer, the broker, the timer or the close of the client. Safe for use by several threads.
 */
final class OutstandingCall extends CompletableFuture<byte[]> {

    private final String id;
    private final Duration within;
    private final long beganNanos = System.nanoTime();
    private final AtomicBoolean claimed = new AtomicBoolean();
    private volatile boolean enqueued;
    private volatile Future<?> timer;
    private volatile CompletableFuture<PublishResult> sending;

    OutstandingCall(String id, Duration within) {
        this.id = id;
        this.within = within;
    }

    String id() {
        return id;
    }

    /** What is left of its time. */
    long remainingNanos() {
        return within.toNanos() - (System.nanoTime() - beganNanos);
    }

    Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - beganNanos);
    }

    void setTimeoutTask(Future<?> timer) {
        this.timer = timer;
    }

    /** Has it withdrawn if it is over before the broker takes it. */
    void setPublish(CompletableFuture<PublishResult> sending) {
        this.sending = sending;
        if (claimed.get()) {
            sending.cancel(false);
        }
    }

    void markEnqueued() {
        enqueued = true;
    }

    /** Makes the caller the one who ends it. */
    boolean claim() {
        if (!claimed.compareAndSet(false, true)) {
            return false;
        }
        Future<?> last = timer;
        if (last != null) {
            last.cancel(false);
        }
        CompletableFuture<PublishResult> open = sending;
        if (open != null) {
            open.cancel(false);
        }
        return true;
    }

    IoClusterException timeoutException() {
        return new CallTimeoutException(id, within, enqueued ? CallStage.ENQUEUED : CallStage.UNCONFIRMED);
    }

    IoClusterException closedException() {
        return new ClientClosedException(id, SentStatus.MAYBE);
    }
}

package io.iocluster.client;

import io.iocluster.client.CallTimeoutException.Progress;
import io.iocluster.message.Sent;
import io.iocluster.transport.PublishResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One call that has no answer yet, or one envelope without its confirmation. Whoever is the first to {@link #claim} it ends it:
 * the answer, the broker, the timer or the close of the client. Safe for use by several threads.
 */
final class Outstanding extends CompletableFuture<byte[]> {

    private final String id;
    private final Duration within;
    private final long beganNanos = System.nanoTime();
    private final AtomicBoolean claimed = new AtomicBoolean();
    private volatile boolean enqueued;
    private volatile Future<?> timer;
    private volatile CompletableFuture<PublishResult> sending;

    Outstanding(String id, Duration within) {
        this.id = id;
        this.within = within;
    }

    String id() {
        return id;
    }

    /** What is left of its time. */
    long leftNanos() {
        return within.toNanos() - (System.nanoTime() - beganNanos);
    }

    Duration took() {
        return Duration.ofNanos(System.nanoTime() - beganNanos);
    }

    void endedBy(Future<?> timer) {
        this.timer = timer;
    }

    /** Has it withdrawn if it is over before the broker takes it. */
    void sentBy(CompletableFuture<PublishResult> sending) {
        this.sending = sending;
        if (claimed.get()) {
            sending.cancel(false);
        }
    }

    void enqueued() {
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

    IoClusterException late() {
        return new CallTimeoutException(id, within, enqueued ? Progress.ENQUEUED : Progress.UNCONFIRMED);
    }

    IoClusterException closed() {
        return new ClientClosedException(id, Sent.MAYBE);
    }
}

package io.iocluster.node.warmup;

import io.iocluster.thread.DaemonThreadFactory;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.Intake;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.TraceContext;
import io.iocluster.transport.Transport;
import io.iocluster.transport.source.CapacitySignal;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Offers synthetic messages as fast as they end, with a fixed number of them open, and discards their answers. Thread-safe; owns the
 * thread that offers them.
 */
final class WarmUpTransport implements Transport, RequestSource, ResponseSink {

    static final String NAME = "warm-up";

    /** Messages that are open at the same time: enough to keep some cores busy, and few enough for a slow start. */
    static final int OPEN_MESSAGES = 64;

    private static final SourceStatus STATUS = new SourceStatus(true, null, Set.of(), 0, List.of(), 0, 0);

    /** Longest wait for room in the pipeline; {@link #capacityAvailable} usually ends it earlier. */
    private static final long REFUSED_WAIT_MILLIS = 10;

    private final List<byte[]> envelopes;
    private final Semaphore open = new Semaphore(OPEN_MESSAGES);
    private final CapacitySignal capacity = new CapacitySignal();
    private final Thread thread = DaemonThreadFactory.newThread("iocluster-warm-up-source", this::offerAll);
    private volatile Intake intake;
    private volatile boolean stopped;

    /**
     * Creates a transport.
     *
     * @param envelopes the payloads of the messages, sent in turn
     */
    WarmUpTransport(List<byte[]> envelopes) {
        this.envelopes = List.copyOf(envelopes);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public RequestSource source() {
        return this;
    }

    @Override
    public ResponseSink sink() {
        return this;
    }

    @Override
    public void start(Intake calls) {
        intake = calls;
        thread.start();
    }

    /** Starts nothing, because there is nothing to connect to. */
    @Override
    public void start() {}

    private void offerAll() {
        try {
            for (long number = 0; !stopped; number++) {
                open.acquire();
                byte[] envelope = envelopes.get((int) (number % envelopes.size()));
                WarmUpDelivery next = new WarmUpDelivery(envelope, number, open::release);
                if (!capacity.offer(intake, next, REFUSED_WAIT_MILLIS, () -> stopped)) {
                    open.release();
                }
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void capacityAvailable() {
        capacity.signal();
    }

    /** Does nothing, because a warm-up cannot be paused. */
    @Override
    public void pause() {}

    @Override
    public void resume() {}

    @Override
    public CompletionStage<Void> stopIntake() {
        stopped = true;
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public SourceStatus status() {
        return STATUS;
    }

    @Override
    public boolean isReplyToAllowed(Delivery request, String replyTo) {
        return false;
    }

    @Override
    public CompletionStage<PublishResult> publish(Delivery request, byte[] answer, String replyTo, TraceContext trace) {
        return CompletableFuture.completedFuture(PublishResult.CONFIRMED);
    }

    @Override
    public CompletionStage<PublishResult> publishDeadLetter(Delivery request, DeadLetterReason reason) {
        return CompletableFuture.completedFuture(PublishResult.CONFIRMED);
    }

    @Override
    public CompletionStage<PublishResult> publishAnswerAsDeadLetter(
            Delivery request, byte[] answer, DeadLetterReason reason) {
        return CompletableFuture.completedFuture(PublishResult.CONFIRMED);
    }

    /** Offers nothing more, and waits until every message is settled or the time is over. */
    void finish(Duration within) throws InterruptedException {
        stopped = true;
        open.tryAcquire(OPEN_MESSAGES, within.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close(Duration timeout) {
        close();
    }

    @Override
    public void close() {
        stopped = true;
        thread.interrupt();
    }
}

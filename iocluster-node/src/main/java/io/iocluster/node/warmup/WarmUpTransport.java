package io.iocluster.node.warmup;

import io.iocluster.thread.LoopThread;
import io.iocluster.thread.Platform;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.Intake;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.TraceContext;
import io.iocluster.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Offers synthetic messages as fast as they end, with a fixed number of them open, and discards their answers. Thread-safe; owns the
 * thread that offers them.
 */
final class WarmUpTransport implements Transport, RequestSource, ResponseSink {

    static final String NAME = "warm-up";

    /** Messages that are open at the same time: enough to keep some cores busy, and few enough for a slow start. */
    static final int OPEN_MESSAGES = 64;

    private static final SourceStatus STATUS = new SourceStatus(true, null, Set.of(), 0, List.of(), 0, 0);

    /** Longest wait for the end of a message or for room in the pipeline, which usually end it earlier. */
    private static final long REFUSED_WAIT_NANOS = 10_000_000;

    private final List<byte[]> envelopes;
    private final AtomicInteger open = new AtomicInteger();
    private final CompletableFuture<Void> idle = new CompletableFuture<>();
    private final Platform platform;
    private final LoopThread thread;
    private volatile Intake intake;
    private volatile boolean stopped;

    /** The number of the next message. Confined to the thread. */
    private long number;

    /**
     * Creates a transport.
     *
     * @param envelopes the payloads of the messages, sent in turn
     */
    WarmUpTransport(List<byte[]> envelopes, Platform platform) {
        this.envelopes = List.copyOf(envelopes);
        this.platform = platform;
        this.thread = platform.newLoop("iocluster-warm-up-source", this::offerAll);
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

    /** Offers messages until the pipeline refuses one or enough are open. */
    private long offerAll() {
        while (!stopped && open.get() < OPEN_MESSAGES) {
            byte[] envelope = envelopes.get((int) (number % envelopes.size()));
            open.incrementAndGet();
            if (!intake.offer(new WarmUpDelivery(envelope, number, platform.wallMillis(), this::settled))) {
                open.decrementAndGet();
                return REFUSED_WAIT_NANOS;
            }
            number++;
        }
        return stopped ? LoopThread.Task.END : REFUSED_WAIT_NANOS;
    }

    private void settled() {
        if (open.decrementAndGet() == 0 && stopped) {
            idle.complete(null);
        }
        thread.wake();
    }

    @Override
    public void capacityAvailable() {
        thread.wake();
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
        if (open.get() > 0) {
            platform.await(idle, within);
        }
    }

    @Override
    public void close(Duration timeout) {
        close();
    }

    @Override
    public void close() {
        stopped = true;
        thread.wake();
    }
}

package io.iocluster.node.warmup;

import io.iocluster.thread.Platform;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.Settlement;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.SyntheticDelivery;
import io.iocluster.transport.TraceContext;
import io.iocluster.transport.Transport;
import io.iocluster.transport.inprocess.InProcessQueue;
import io.iocluster.transport.inprocess.InProcessSink;
import io.iocluster.transport.inprocess.InProcessSource;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates synthetic messages as fast as they end, with a fixed number of them open, and discards their answers. Thread-safe. */
final class WarmUpQueue extends InProcessSink implements InProcessQueue<WarmUpQueue.Message> {

    static final String NAME = "warm-up";

    /** Messages that are open at the same time: enough to keep some cores busy, and few enough for a slow start. */
    static final int OPEN_MESSAGES = 64;

    private final List<byte[]> envelopes;
    private final AtomicInteger open = new AtomicInteger();
    private final CompletableFuture<Void> idle = new CompletableFuture<>();
    private final Platform platform;
    private final InProcessSource<Message> source;

    private volatile boolean stopped;

    /** The number of the next message. Confined to the thread of the source. */
    private long number;

    /** A message whose settlement lets the next one start. */
    record Message(byte[] payload, String coordinates, long timestampMillis, Runnable ended)
            implements SyntheticDelivery, Settlement {

        @Override
        public String queue() {
            return NAME;
        }

        @Override
        public Settlement settlement() {
            return this;
        }

        @Override
        public void acknowledge() {
            ended.run();
        }

        @Override
        public void release() {
            ended.run();
        }
    }

    /**
     * Creates a queue.
     *
     * @param envelopes the payloads of the messages, sent in turn
     */
    WarmUpQueue(List<byte[]> envelopes, Platform platform) {
        this.envelopes = List.copyOf(envelopes);
        this.platform = platform;
        this.source = new InProcessSource<>("iocluster-warm-up-source", this, platform);
    }

    Transport transport() {
        return Transport.of(NAME, source, this);
    }

    @Override
    public Message poll() {
        if (stopped || open.get() >= OPEN_MESSAGES) {
            return null;
        }
        open.incrementAndGet();
        byte[] envelope = envelopes.get((int) (number % envelopes.size()));
        return new Message(envelope, NAME + "-" + number++, platform.wallMillis(), this::ended);
    }

    @Override
    public void giveBack(Message message) {
        ended();
    }

    private void ended() {
        if (open.decrementAndGet() == 0 && stopped) {
            idle.complete(null);
        }
        source.wake();
    }

    @Override
    public SourceStatus status(boolean running, Set<PauseReason> reasons, boolean refused) {
        return new SourceStatus(running, null, reasons, 0, List.of(), 0, 0);
    }

    @Override
    public CompletionStage<PublishResult> publish(Delivery request, byte[] answer, String replyTo, TraceContext trace) {
        return CONFIRMED;
    }

    @Override
    public CompletionStage<PublishResult> publishDeadLetter(Delivery request, DeadLetterReason reason) {
        return CONFIRMED;
    }

    /** Creates no more messages, and waits until every message is settled or the time is over. */
    void finish(Duration within) throws InterruptedException {
        stopped = true;
        if (open.get() > 0) {
            platform.await(idle, within);
        }
    }

    @Override
    public boolean stop() {
        stopped = true;
        return false;
    }

    @Override
    public void close() {
        stopped = true;
    }
}

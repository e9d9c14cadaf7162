package io.iocluster.examples.spring;

import io.iocluster.client.AnswerFeed;
import io.iocluster.client.ClientTransport;
import io.iocluster.client.OutgoingRequest;
import io.iocluster.client.RequestQueue;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.RequestSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Takes every request, or none, and no answer ever comes. Safe for use by several threads. */
final class SilentTransport implements ClientTransport {

    private final PublishResult taken;

    /** What becomes of every request. */
    SilentTransport(PublishResult taken) {
        this.taken = taken;
    }

    @Override
    public String name() {
        return "silent";
    }

    @Override
    public Connection connect(String clientName) {
        return new Connection(new Queue(taken), new Feed(), null);
    }

    @Override
    public RequestSource answers(String clientName, String group) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String answersPlace() {
        return null;
    }

    private record Queue(PublishResult taken) implements RequestQueue {

        @Override
        public CompletableFuture<PublishResult> enqueue(OutgoingRequest request) {
            return CompletableFuture.completedFuture(taken);
        }

        @Override
        public void close() {}
    }

    private static final class Feed implements AnswerFeed {

        private final CountDownLatch closed = new CountDownLatch(1);

        @Override
        public void poll(Duration within, Taker taker) {
            try {
                closed.await(within.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }
}

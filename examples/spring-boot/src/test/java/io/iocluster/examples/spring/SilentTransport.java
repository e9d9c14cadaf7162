package io.iocluster.examples.spring;

import io.iocluster.client.spi.AnswerConsumer;
import io.iocluster.client.spi.ClientTransport;
import io.iocluster.client.spi.OutgoingRequest;
import io.iocluster.client.spi.RequestPublisher;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.RequestSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Completes every publish with the same result and never delivers an answer. Thread-safe. */
final class SilentTransport implements ClientTransport {

    private final PublishResult result;

    /** Creates a transport with the result of every publish. */
    SilentTransport(PublishResult result) {
        this.result = result;
    }

    @Override
    public String name() {
        return "silent";
    }

    @Override
    public ClientConnection connect(String clientName) {
        return new ClientConnection(new Queue(result), new Feed(), null);
    }

    @Override
    public RequestSource newAnswerSource(String clientName, String group) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String defaultReplyTo() {
        return null;
    }

    private record Queue(PublishResult result) implements RequestPublisher {

        @Override
        public CompletableFuture<PublishResult> publish(OutgoingRequest request) {
            return CompletableFuture.completedFuture(result);
        }

        @Override
        public String brokerAddresses() {
            return "127.0.0.1:1";
        }

        @Override
        public void close() {}
    }

    private static final class Feed implements AnswerConsumer {

        private final CountDownLatch closed = new CountDownLatch(1);

        @Override
        public void poll(Duration within, Recipient recipient) {
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

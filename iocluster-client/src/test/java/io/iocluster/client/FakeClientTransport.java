package io.iocluster.client;

import io.iocluster.client.spi.AnswerConsumer;
import io.iocluster.client.spi.ClientTransport;
import io.iocluster.client.spi.OutgoingRequest;
import io.iocluster.client.spi.RequestPublisher;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.RequestSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** A transport whose queues are lists; the test publishes answers and confirms requests. Thread-safe. */
final class FakeClientTransport implements ClientTransport, RequestPublisher {

    final List<OutgoingRequest> sent = new CopyOnWriteArrayList<>();
    final List<CompletableFuture<PublishResult>> confirmations = new CopyOnWriteArrayList<>();
    final AtomicInteger failingPolls = new AtomicInteger();
    final AtomicReference<Error> pollError = new AtomicReference<>();
    final FakeRequestSource source = new FakeRequestSource();
    volatile boolean closed;
    private final BlockingQueue<byte[]> published = new LinkedBlockingQueue<>();
    private volatile Function<OutgoingRequest, PublishResult> broker = request -> PublishResult.CONFIRMED;

    /** Sets the result of each publish; null leaves it unconfirmed. */
    void confirm(Function<OutgoingRequest, PublishResult> broker) {
        this.broker = broker;
    }

    void publish(String answer) {
        published.add(answer.getBytes(StandardCharsets.UTF_8));
    }

    /** Publishes an answer with status 200. */
    void answer(String id) {
        publish(answered(id));
    }

    static String answered(String id) {
        return "{\"id\":\"" + id + "\",\"outcome\":\"answered\",\"status\":200,\"body\":\"to " + id + "\"}";
    }

    String lastEnvelope() {
        return new String(sent.get(sent.size() - 1).envelope(), StandardCharsets.UTF_8);
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public ClientConnection connect(String clientName) {
        return new ClientConnection(this, answers(), "replies");
    }

    @Override
    public RequestSource newAnswerSource(String clientName, String group) {
        return source;
    }

    @Override
    public String defaultReplyTo() {
        return "durable";
    }

    @Override
    public CompletableFuture<PublishResult> publish(OutgoingRequest request) {
        CompletableFuture<PublishResult> confirmation = new CompletableFuture<>();
        confirmations.add(confirmation);
        sent.add(request);
        PublishResult result = broker.apply(request);
        if (result != null) {
            confirmation.complete(result);
        }
        return confirmation;
    }

    private AnswerConsumer answers() {
        return new AnswerConsumer() {
            @Override
            public void poll(Duration timeout, Recipient recipient) throws IOException {
                if (failingPolls.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    throw new IOException("broken for a moment");
                }
                Error error = pollError.getAndSet(null);
                if (error != null) {
                    throw error;
                }
                try {
                    byte[] answer = published.poll(timeout.toMillis(), TimeUnit.MILLISECONDS);
                    if (answer != null) {
                        recipient.offer(answer);
                    }
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public String brokerAddresses() {
        return "127.0.0.1:1";
    }

    @Override
    public void close() {
        closed = true;
    }
}

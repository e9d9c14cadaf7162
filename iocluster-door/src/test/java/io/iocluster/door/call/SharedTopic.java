package io.iocluster.door.call;

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
import tools.jackson.databind.json.JsonMapper;

/** A broker whose one answer topic all its clients read. The test publishes the answers. Thread-safe. */
final class SharedTopic implements ClientTransport, RequestPublisher {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final List<OutgoingRequest> requests = new CopyOnWriteArrayList<>();
    private volatile String refusal;
    private final List<BlockingQueue<byte[]>> readers = new CopyOnWriteArrayList<>();
    private volatile CompletableFuture<PublishResult> nextResult =
            CompletableFuture.completedFuture(PublishResult.CONFIRMED);
    private volatile IOException unreachable;

    /** Sets the result of each publish from now on. */
    void publishResult(CompletableFuture<PublishResult> result) {
        nextResult = result;
    }

    /** Refuses connections with this failure; null to accept them. */
    void unreachable(IOException failure) {
        unreachable = failure;
    }

    /** Returns the published requests. */
    List<OutgoingRequest> requests() {
        return requests;
    }

    /** Returns the id that a request has on the queue, by the order of requests from 0. */
    String queueId(int request) {
        return JSON.readTree(requests.get(request).envelope()).path("id").asString("");
    }

    /** Refuses further requests with this message. */
    void refuse(String message) {
        refusal = message;
    }

    /** Publishes an answer to every client. */
    void publish(String answer) {
        readers.forEach(reader -> reader.add(answer.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public ClientConnection connect(String clientName) throws IOException {
        IOException failure = unreachable;
        if (failure != null) {
            throw failure;
        }
        BlockingQueue<byte[]> reader = new LinkedBlockingQueue<>();
        readers.add(reader);
        return new ClientConnection(this, new Reader(reader), null);
    }

    @Override
    public RequestSource newAnswerSource(String clientName, String group) {
        throw new UnsupportedOperationException("no test needs it");
    }

    @Override
    public String defaultReplyTo() {
        return null;
    }

    @Override
    public CompletableFuture<PublishResult> publish(OutgoingRequest request) {
        if (refusal != null) {
            return CompletableFuture.failedFuture(new IOException(refusal));
        }
        requests.add(request);
        return nextResult;
    }

    @Override
    public String brokerAddresses() {
        return "127.0.0.1:1";
    }

    @Override
    public void close() {}

    private record Reader(BlockingQueue<byte[]> answers) implements AnswerConsumer {

        @Override
        public void poll(Duration timeout, Recipient recipient) {
            try {
                byte[] answer = answers.poll(timeout.toMillis(), TimeUnit.MILLISECONDS);
                if (answer != null) {
                    recipient.offer(answer);
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {}
    }
}

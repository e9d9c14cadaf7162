package io.iocluster.node;

import io.iocluster.client.spi.AnswerConsumer;
import io.iocluster.client.spi.OutgoingRequest;
import io.iocluster.client.spi.RequestPublisher;
import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.testkit.memory.MemoryBroker;
import io.iocluster.testkit.memory.MemoryCluster;
import io.iocluster.testkit.memory.MemoryTransport;
import io.iocluster.thread.Platform;
import io.iocluster.trace.Tracing;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.cluster.ClusterChannel;
import io.iocluster.transport.deadletter.DeadLetterQueue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * An in-memory broker with a service that answers at once. Its nodes read another in-memory queue.
 * Thread-safe.
 */
public final class FakeBrokerAccess implements BrokerAccess {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final MemoryBroker queue = new MemoryBroker();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final BlockingQueue<byte[]> answers = new LinkedBlockingQueue<>();
    private volatile Function<String, CompletionStage<PublishResult>> confirmation =
            envelope -> CompletableFuture.completedFuture(PublishResult.CONFIRMED);
    private volatile Function<ObjectNode, String> service =
            envelope -> "{\"id\":\"" + envelope.path("id").asString("") + "\",\"outcome\":\"answered\",\"status\":200}";
    private volatile IOException connectFailure;
    private volatile List<String> problems = List.of();

    /** Returns the queue that the nodes read. */
    public MemoryBroker queue() {
        return queue;
    }

    /** Returns the enqueued envelopes, in order. */
    public List<String> requests() {
        return requests;
    }

    /** Sets the result of each publish. */
    public void confirmWith(Function<String, CompletionStage<PublishResult>> confirmation) {
        this.confirmation = confirmation;
    }

    /** Sets the service that answers requests; it returns null for no answer. */
    public void respondWith(Function<ObjectNode, String> service) {
        this.service = service;
    }

    public void failConnections(String problem) {
        connectFailure = new IOException(problem);
        problems = List.of(problem);
    }

    /** Publishes an unsolicited answer. */
    public void publish(String answer) {
        answers.add(answer.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Pipeline createPipeline(NodeSettings settings, PipelineEvents events, Tracing tracing) {
        return new Pipeline(settings.pipeline(), new MemoryTransport(queue), events, tracing, Platform.system());
    }

    @Override
    public ClusterChannel createClusterChannel(NodeSettings settings) {
        return new MemoryCluster().newChannel();
    }

    @Override
    public void requireReachable(NodeSettings settings) throws IOException {
        requireConnection();
    }

    @Override
    public RequestPublisher openRequestPublisher(NodeSettings settings) throws IOException {
        requireConnection();
        return new RequestPublisher() {
            @Override
            public CompletableFuture<PublishResult> publish(OutgoingRequest request) {
                return take(new String(request.envelope(), StandardCharsets.UTF_8))
                        .toCompletableFuture();
            }

            @Override
            public String brokerAddresses() {
                return "127.0.0.1:1";
            }

            @Override
            public void close() {}
        };
    }

    private CompletionStage<PublishResult> take(String envelope) {
        CompletionStage<PublishResult> result = confirmation.apply(envelope);
        requests.add(envelope);
        String answer = service.apply((ObjectNode) JSON.readTree(envelope));
        if (answer != null && result.toCompletableFuture().getNow(null) == PublishResult.CONFIRMED) {
            publish(answer);
        }
        return result;
    }

    @Override
    public AnswerConsumer openAnswerConsumer(NodeSettings settings) throws IOException {
        requireConnection();
        return new AnswerConsumer() {
            @Override
            public void poll(Duration within, Recipient recipient) throws IOException {
                List<byte[]> polled = new ArrayList<>();
                try {
                    byte[] first = answers.poll(within.toMillis(), TimeUnit.MILLISECONDS);
                    if (first != null) {
                        polled.add(first);
                        answers.drainTo(polled);
                    }
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
                polled.forEach(recipient::offer);
            }

            @Override
            public void close() {}
        };
    }

    private void requireConnection() throws IOException {
        if (connectFailure != null) {
            throw connectFailure;
        }
    }

    @Override
    public DeadLetterQueue openDeadLetters(NodeSettings settings) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ProbeResult probe(NodeSettings settings) {
        return new ProbeResult(List.of("a list: is there"), List.of(), problems);
    }
}

package io.iocluster.lab.demo;

import io.iocluster.client.spi.AnswerConsumer;
import io.iocluster.client.spi.OutgoingRequest;
import io.iocluster.client.spi.RequestPublisher;
import io.iocluster.message.Outcome;
import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.testkit.memory.MemoryBroker;
import io.iocluster.testkit.memory.MemoryCluster;
import io.iocluster.testkit.memory.MemoryTransport;
import io.iocluster.thread.Platform;
import io.iocluster.trace.Traced;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * A broker that answers each published envelope at once, and reports to the pipeline's events that its call took 2 ms. The node of the
 * demo reads another queue, which is empty. Thread-safe.
 */
final class FakeDemoBroker implements BrokerAccess {

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final BlockingQueue<byte[]> answers = new LinkedBlockingQueue<>();
    private volatile PipelineEvents events = PipelineEvents.NONE;
    private volatile UnaryOperator<String> service =
            id -> "{\"id\":\"" + id + "\",\"outcome\":\"answered\",\"status\":200}";

    /** Returns the published envelopes, in order. */
    List<String> requests() {
        return requests;
    }

    /** Sets the function that returns the answer to the call with an id. */
    void respondWith(UnaryOperator<String> service) {
        this.service = service;
    }

    @Override
    public Pipeline createPipeline(NodeSettings settings, PipelineEvents events, Tracing tracing) {
        this.events = events;
        return new Pipeline(
                settings.pipeline(), new MemoryTransport(new MemoryBroker()), events, tracing, Platform.system());
    }

    @Override
    public ClusterChannel createClusterChannel(NodeSettings settings) {
        return new MemoryCluster().newChannel();
    }

    @Override
    public void requireReachable(NodeSettings settings) {}

    @Override
    public RequestPublisher openRequestPublisher(NodeSettings settings) {
        return new RequestPublisher() {
            @Override
            public CompletableFuture<PublishResult> publish(OutgoingRequest request) {
                String id = "demo-" + requests.size();
                requests.add(new String(request.envelope(), StandardCharsets.UTF_8));
                events.callEnded("target:80", Outcome.ANSWERED, 200, null, 2_000_000, Traced.UNTRACED);
                answers.add(service.apply(id).getBytes(StandardCharsets.UTF_8));
                return CompletableFuture.completedFuture(PublishResult.CONFIRMED);
            }

            @Override
            public String brokerAddresses() {
                return "127.0.0.1:1";
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public AnswerConsumer openAnswerConsumer(NodeSettings settings) {
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

    @Override
    public DeadLetterQueue openDeadLetters(NodeSettings settings) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ProbeResult probe(NodeSettings settings) {
        throw new UnsupportedOperationException();
    }
}

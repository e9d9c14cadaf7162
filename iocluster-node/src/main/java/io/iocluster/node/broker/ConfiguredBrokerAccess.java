package io.iocluster.node.broker;

import io.iocluster.client.spi.AnswerConsumer;
import io.iocluster.client.spi.RequestPublisher;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.thread.Platform;
import io.iocluster.trace.Tracing;
import io.iocluster.transport.cluster.ClusterChannel;
import io.iocluster.transport.deadletter.DeadLetterQueue;
import java.io.IOException;
import java.time.Instant;

/** Delegates to the broker that {@code transport} selects. Immutable. */
public final class ConfiguredBrokerAccess implements BrokerAccess {

    private final ConnectDeadline deadline;
    private final Platform platform;

    /**
     * Creates the access of a command.
     *
     * @param start when the user started the command
     */
    public ConfiguredBrokerAccess(Instant start, Platform platform) {
        this.deadline = new ConnectDeadline(start, platform.clock());
        this.platform = platform;
    }

    private BrokerAccess of(NodeSettings settings) {
        return switch (settings.transport()) {
            case KAFKA -> new KafkaAccess(deadline, platform);
            case RABBIT -> new RabbitAccess(deadline, platform);
        };
    }

    @Override
    public Pipeline createPipeline(NodeSettings settings, PipelineEvents events, Tracing tracing) {
        return of(settings).createPipeline(settings, events, tracing);
    }

    @Override
    public ClusterChannel createClusterChannel(NodeSettings settings) {
        return of(settings).createClusterChannel(settings);
    }

    @Override
    public void requireReachable(NodeSettings settings) throws IOException {
        of(settings).requireReachable(settings);
    }

    @Override
    public RequestPublisher openRequestPublisher(NodeSettings settings) throws IOException {
        return of(settings).openRequestPublisher(settings);
    }

    @Override
    public AnswerConsumer openAnswerConsumer(NodeSettings settings) throws IOException {
        return of(settings).openAnswerConsumer(settings);
    }

    @Override
    public DeadLetterQueue openDeadLetters(NodeSettings settings) throws IOException {
        return of(settings).openDeadLetters(settings);
    }

    @Override
    public ProbeResult probe(NodeSettings settings) {
        return of(settings).probe(settings);
    }
}

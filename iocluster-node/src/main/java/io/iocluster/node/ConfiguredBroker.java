package io.iocluster.node;

import io.iocluster.client.AnswerFeed;
import io.iocluster.client.RequestQueue;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.PipelineEvents;
import io.iocluster.trace.Tracing;
import java.io.IOException;

/** The broker that the settings name. Has no state. */
final class ConfiguredBroker implements BrokerAccess {

    private static BrokerAccess of(NodeSettings settings) {
        return switch (settings.transport()) {
            case KAFKA -> new KafkaAccess();
            case RABBIT -> new RabbitAccess();
        };
    }

    @Override
    public Pipeline pipeline(NodeSettings settings, PipelineEvents events, Tracing tracing) {
        return of(settings).pipeline(settings, events, tracing);
    }

    @Override
    public RequestQueue requests(NodeSettings settings) throws IOException {
        return of(settings).requests(settings);
    }

    @Override
    public AnswerFeed answers(NodeSettings settings) throws IOException {
        return of(settings).answers(settings);
    }

    @Override
    public Probe probe(NodeSettings settings) {
        return of(settings).probe(settings);
    }
}

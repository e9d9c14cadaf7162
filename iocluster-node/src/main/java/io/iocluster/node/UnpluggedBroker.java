package io.iocluster.node;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.pipeline.PipelineEvents;
import java.io.IOException;
import java.util.List;

/** Stands where the Kafka transport is plugged in: every use says that there is none. */
final class UnpluggedBroker implements BrokerAccess {

    private static final String PROBLEM = "this build has no transport";

    @Override
    public NodeRuntime runtime(NodeSettings settings, PipelineEvents events) {
        throw new IllegalStateException(PROBLEM);
    }

    @Override
    public RequestQueue requests(NodeSettings settings) throws IOException {
        throw new IOException(PROBLEM);
    }

    @Override
    public AnswerFeed answers(NodeSettings settings) throws IOException {
        throw new IOException(PROBLEM);
    }

    @Override
    public List<String> probe(NodeSettings settings) {
        return List.of(PROBLEM);
    }
}

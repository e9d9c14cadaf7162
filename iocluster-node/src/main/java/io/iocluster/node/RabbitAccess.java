package io.iocluster.node;

import io.iocluster.client.AnswerFeed;
import io.iocluster.client.RequestQueue;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.PipelineEvents;
import io.iocluster.rabbit.RabbitAnswers;
import io.iocluster.rabbit.RabbitQueues;
import io.iocluster.rabbit.RabbitRequests;
import io.iocluster.rabbit.RabbitTransport;
import io.iocluster.trace.Tracing;
import java.io.IOException;
import java.util.List;

/** RabbitMQ, as the commands use it. Has no state. */
final class RabbitAccess implements BrokerAccess {

    @Override
    public Pipeline pipeline(NodeSettings settings, PipelineEvents events, Tracing tracing) {
        RabbitTransport transport =
                new RabbitTransport(settings.rabbit(), settings.node().id());
        return new Pipeline(settings.pipeline(), transport, events, tracing);
    }

    @Override
    public RequestQueue requests(NodeSettings settings) {
        return new RabbitRequests(settings.rabbit(), settings.node().id());
    }

    @Override
    public AnswerFeed answers(NodeSettings settings) throws IOException {
        try {
            return new RabbitAnswers(settings.rabbit(), settings.node().id());
        } catch (IOException failed) {
            throw new IOException("rabbit: " + failed.getMessage(), failed);
        }
    }

    @Override
    public List<String> probe(NodeSettings settings) {
        try {
            return new RabbitQueues(settings.rabbit(), settings.node().id())
                    .check().stream()
                            .filter(report -> report.problem() != null)
                            .map(report -> "rabbit: " + report.title() + ": " + report.problem())
                            .toList();
        } catch (IOException failed) {
            return List.of("rabbit: " + failed.getMessage());
        }
    }
}

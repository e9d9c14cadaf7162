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
import java.util.ArrayList;
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
    public Probe probe(NodeSettings settings) {
        try {
            RabbitQueues.Found found =
                    new RabbitQueues(settings.rabbit(), settings.node().id()).check();
            List<String> reached = new ArrayList<>();
            reached.add("rabbit: reached " + found.node());
            found.places().stream()
                    .filter(report -> report.problem() == null)
                    .map(report -> line(report.title(), report.exists() ? "is there" : "will be made"))
                    .forEach(reached::add);
            List<String> problems = found.places().stream()
                    .filter(report -> report.problem() != null)
                    .map(report -> line(report.title(), report.problem()))
                    .toList();
            return new Probe(reached, List.of(), problems);
        } catch (IOException failed) {
            return new Probe(List.of(), List.of(), List.of("rabbit: " + failed.getMessage()));
        }
    }

    private static String line(String place, String state) {
        return "rabbit: " + place + ": " + state;
    }
}

package io.iocluster.node;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.PipelineEvents;
import io.iocluster.rabbit.RabbitAnswers;
import io.iocluster.rabbit.RabbitQueues;
import io.iocluster.rabbit.RabbitRequests;
import io.iocluster.rabbit.RabbitTransport;
import io.iocluster.trace.Tracing;
import io.iocluster.transport.PublishResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

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
        RabbitRequests requests =
                new RabbitRequests(settings.rabbit(), settings.node().id());
        return new RequestQueue() {
            /** What Kafka calls the key travels as the correlation id. */
            @Override
            public CompletionStage<PublishResult> enqueue(byte[] key, Map<String, byte[]> headers, byte[] envelope) {
                String correlationId = key == null ? null : new String(key, StandardCharsets.UTF_8);
                return requests.send(envelope, correlationId, headers);
            }

            @Override
            public void close() {
                requests.close();
            }
        };
    }

    @Override
    public AnswerFeed answers(NodeSettings settings) throws IOException {
        try {
            return feed(new RabbitAnswers(settings.rabbit(), settings.node().id()));
        } catch (IOException failed) {
            throw named(failed);
        }
    }

    private static AnswerFeed feed(RabbitAnswers answers) {
        return new AnswerFeed() {
            @Override
            public List<byte[]> poll(Duration within, Predicate<byte[]> wanted) throws IOException {
                try {
                    return answers.poll(within, wanted);
                } catch (IOException failed) {
                    throw named(failed);
                }
            }

            @Override
            public void close() {
                answers.close();
            }
        };
    }

    private static IOException named(IOException failed) {
        return new IOException("rabbit: " + failed.getMessage(), failed);
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

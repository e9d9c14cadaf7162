package io.iocluster.node.broker;

import io.iocluster.client.spi.AnswerConsumer;
import io.iocluster.client.spi.RequestPublisher;
import io.iocluster.http.BodyTooLargePolicy;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.redis.RedisStore;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.PipelineParts;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.rabbit.RabbitTransport;
import io.iocluster.rabbit.client.RabbitAnswerConsumer;
import io.iocluster.rabbit.client.RabbitRequestPublisher;
import io.iocluster.rabbit.cluster.RabbitClusterChannel;
import io.iocluster.rabbit.connection.RabbitQueueAdmin;
import io.iocluster.rabbit.replay.RabbitDeadLetters;
import io.iocluster.settings.DataSize;
import io.iocluster.thread.Platform;
import io.iocluster.trace.Tracing;
import io.iocluster.transport.cluster.ClusterChannel;
import io.iocluster.transport.deadletter.DeadLetterQueue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** RabbitMQ access for the commands and the node. Immutable. */
final class RabbitAccess implements BrokerAccess {

    private final ConnectDeadline deadline;
    private final Platform platform;

    RabbitAccess(ConnectDeadline deadline, Platform platform) {
        this.deadline = deadline;
        this.platform = platform;
    }

    @Override
    public Pipeline createPipeline(NodeSettings settings, PipelineEvents events, Tracing tracing) {
        RabbitTransport transport =
                new RabbitTransport(settings.rabbit(), settings.node().id(), platform);
        PipelineParts parts = PipelineParts.of(settings.pipeline(), events, RedisStore::open, platform);
        return new Pipeline(settings.pipeline(), transport, events, tracing, parts, platform);
    }

    @Override
    public ClusterChannel createClusterChannel(NodeSettings settings) {
        return new RabbitClusterChannel(settings.rabbit(), settings.node().id(), platform);
    }

    @Override
    public void requireReachable(NodeSettings settings) throws IOException {
        try {
            new RabbitQueueAdmin(settings.rabbit(), settings.node().id(), platform).requireReachable(deadline.left());
        } catch (IOException failed) {
            throw new IOException("rabbit: " + failed.getMessage(), failed);
        }
    }

    @Override
    public RequestPublisher openRequestPublisher(NodeSettings settings) {
        return new RabbitRequestPublisher(settings.rabbit(), settings.node().id(), platform);
    }

    @Override
    public AnswerConsumer openAnswerConsumer(NodeSettings settings) throws IOException {
        try {
            return new RabbitAnswerConsumer(settings.rabbit(), settings.node().id(), platform);
        } catch (IOException failed) {
            throw new IOException("rabbit: " + failed.getMessage(), failed);
        }
    }

    @Override
    public DeadLetterQueue openDeadLetters(NodeSettings settings) throws IOException {
        requireReachable(settings);
        try {
            return new RabbitDeadLetters(settings.rabbit(), settings.node().id(), platform);
        } catch (IOException failed) {
            throw new IOException("rabbit: " + failed.getMessage(), failed);
        }
    }

    @Override
    public ProbeResult probe(NodeSettings settings) {
        try {
            RabbitQueueAdmin.TopologyReport found =
                    new RabbitQueueAdmin(settings.rabbit(), settings.node().id(), platform).check();
            List<String> reached = new ArrayList<>();
            reached.add("rabbit: reached " + found.brokerAddress());
            found.reports().stream()
                    .filter(report -> report.problem() == null)
                    .map(report -> line(report.title(), report.exists() ? "exists" : "will be created"))
                    .forEach(reached::add);
            List<String> problems = found.reports().stream()
                    .filter(report -> report.problem() != null)
                    .map(report -> line(report.title(), report.problem()))
                    .toList();
            List<String> warnings = new ArrayList<>(sizeWarnings(settings));
            if (settings.cluster().enabled() && problems.isEmpty()) {
                probeCluster(settings, reached, warnings);
            }
            return new ProbeResult(reached, warnings, problems);
        } catch (IOException failed) {
            return new ProbeResult(List.of(), List.of(), List.of("rabbit: " + failed.getMessage()));
        }
    }

    /** Compares the body limit with {@code rabbit.max-message-size}, because the broker does not report its {@code max_message_size}. */
    private static List<String> sizeWarnings(NodeSettings settings) {
        DataSize body = settings.http().maxResponseBody();
        DataSize message = settings.rabbit().maxMessageSize();
        if (body.bytes() * 4 / 3 <= message.bytes()) {
            return List.of();
        }
        String consequence = settings.http().whenBodyTooLarge() == BodyTooLargePolicy.TRUNCATE
                ? "longer bodies are truncated to what fits"
                : "answers with a longer body fail with answer-too-large";
        return List.of("rabbit: max-message-size is " + message + ", and http.max-response-body is " + body + ": "
                + consequence + "; raise it and max_message_size of the broker, or lower http.max-response-body");
    }

    private void probeCluster(NodeSettings settings, List<String> reached, List<String> warnings) throws IOException {
        RabbitQueueAdmin.QueueReport exchange =
                new RabbitQueueAdmin(settings.rabbit(), settings.node().id(), platform).checkClusterExchange();
        if (exchange.problem() == null) {
            reached.add(line(exchange.title(), exchange.exists() ? "exists" : "will be declared"));
        } else {
            warnings.add(line(
                    exchange.title(),
                    exchange.problem() + "; without it, nodes do not see each other: declare it as a fanout exchange,"
                            + " or set cluster.enabled: false"));
        }
    }

    private static String line(String queue, String state) {
        return "rabbit: " + queue + ": " + state;
    }
}

package io.iocluster.node.broker;

import io.iocluster.client.spi.AnswerConsumer;
import io.iocluster.client.spi.RequestPublisher;
import io.iocluster.http.BodyTooLargePolicy;
import io.iocluster.kafka.KafkaTransport;
import io.iocluster.kafka.client.KafkaAnswerConsumer;
import io.iocluster.kafka.client.KafkaRequestPublisher;
import io.iocluster.kafka.cluster.ClusterTopic;
import io.iocluster.kafka.cluster.KafkaClusterChannel;
import io.iocluster.kafka.config.KafkaClients;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings.RequestMode;
import io.iocluster.kafka.config.KafkaTopicAdmin;
import io.iocluster.kafka.config.KafkaTopicAdmin.ResponseLimit;
import io.iocluster.kafka.config.KafkaTopicAdmin.TopicReport;
import io.iocluster.kafka.config.ShareGroupAdmin;
import io.iocluster.kafka.config.ShareGroupAdmin.ShareGroupReport;
import io.iocluster.kafka.replay.KafkaDeadLetters;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.redis.RedisStore;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.PipelineParts;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.thread.Platform;
import io.iocluster.trace.Tracing;
import io.iocluster.transport.cluster.ClusterChannel;
import io.iocluster.transport.deadletter.DeadLetterQueue;
import io.iocluster.transport.outage.RootCause;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;

/** Kafka access for the commands and the node. Immutable. */
final class KafkaAccess implements BrokerAccess {

    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(10);

    private final ConnectDeadline deadline;
    private final Platform platform;

    KafkaAccess(ConnectDeadline deadline, Platform platform) {
        this.deadline = deadline;
        this.platform = platform;
    }

    @Override
    public Pipeline createPipeline(NodeSettings settings, PipelineEvents events, Tracing tracing) {
        KafkaTransport transport = new KafkaTransport(connections(settings));
        PipelineParts parts = PipelineParts.of(settings.pipeline(), events, RedisStore::open, platform);
        return new Pipeline(settings.pipeline(), transport, events, tracing, parts, platform);
    }

    @Override
    public ClusterChannel createClusterChannel(NodeSettings settings) {
        return new KafkaClusterChannel(connections(settings));
    }

    @Override
    public void requireReachable(NodeSettings settings) throws IOException {
        try {
            new KafkaTopicAdmin(connections(settings)).requireReachable(deadline::left);
        } catch (KafkaException failed) {
            throw new IOException(problem(settings, failed), failed);
        }
    }

    @Override
    public RequestPublisher openRequestPublisher(NodeSettings settings) throws IOException {
        try {
            return new KafkaRequestPublisher(connections(settings));
        } catch (KafkaException failed) {
            throw new IOException(problem(settings, failed), failed);
        }
    }

    @Override
    public AnswerConsumer openAnswerConsumer(NodeSettings settings) throws IOException {
        try {
            return new KafkaAnswerConsumer(connections(settings), true);
        } catch (KafkaException failed) {
            throw new IOException(problem(settings, failed), failed);
        }
    }

    @Override
    public DeadLetterQueue openDeadLetters(NodeSettings settings) throws IOException {
        requireReachable(settings);
        try {
            return new KafkaDeadLetters(connections(settings));
        } catch (KafkaException failed) {
            throw new IOException(problem(settings, failed), failed);
        }
    }

    private KafkaConnections connections(NodeSettings settings) {
        return new KafkaConnections(settings.kafka(), settings.node().id(), KafkaClients.library(), platform);
    }

    /** Adds the root cause, because the message of a Kafka client exception often names only the operation. */
    private static String problem(NodeSettings settings, KafkaException failed) {
        Throwable root = RootCause.of(failed);
        String problem = failed.getMessage();
        if (root != failed && root.getMessage() != null) {
            problem += ": " + root.getMessage();
        }
        return "kafka: " + settings.kafka().bootstrapServers() + ": " + problem;
    }

    @Override
    public ProbeResult probe(NodeSettings settings) {
        ResponseLimit responses = new ResponseLimit(
                settings.http().maxResponseBody(), settings.http().whenBodyTooLarge() == BodyTooLargePolicy.TRUNCATE);
        List<TopicReport> topics = new KafkaTopicAdmin(connections(settings)).check(PROBE_TIMEOUT, responses);
        List<String> reached = new ArrayList<>();
        reached.add("kafka: reached " + settings.kafka().bootstrapServers());
        topics.stream()
                .filter(report -> report.problem() == null)
                .map(report -> "kafka: topic " + report.topic() + ": " + description(report))
                .forEach(reached::add);
        List<String> warnings = new ArrayList<>(topics.stream()
                .flatMap(report -> report.sizeWarnings().stream()
                        .map(warning -> "kafka: topic " + report.topic() + ": " + warning))
                .toList());
        List<String> problems = new ArrayList<>(problems(topics));
        if (settings.kafka().requests().mode() == RequestMode.SHARE && problems.isEmpty()) {
            ShareGroupReport group = new ShareGroupAdmin(connections(settings)).check();
            String title = "kafka: share group " + settings.kafka().requests().group() + ": ";
            Optional.ofNullable(group.problem()).map(title::concat).ifPresent(problems::add);
            Optional.ofNullable(group.warning()).map(title::concat).ifPresent(warnings::add);
            Optional.ofNullable(group.description()).map(title::concat).ifPresent(reached::add);
        }
        if (settings.cluster().enabled() && problems.isEmpty()) {
            TopicReport cluster = new ClusterTopic(connections(settings)).check(PROBE_TIMEOUT);
            String title = "kafka: topic " + cluster.topic() + ": ";
            if (cluster.problem() == null) {
                reached.add(title + description(cluster));
            } else {
                warnings.add(title + cluster.problem() + "; without it, nodes do not see each other: create it with one"
                        + " partition, or set cluster.enabled: false");
            }
        }
        return new ProbeResult(reached, warnings, problems);
    }

    private static String description(TopicReport topic) {
        if (!topic.exists()) {
            return "will be created";
        }
        String partitions = topic.partitions() == 1 ? "1 partition" : topic.partitions() + " partitions";
        return topic.warning() == null
                ? partitions
                : partitions + "; warning: it accepts compressed records, and " + topic.warning();
    }

    private static List<String> problems(List<TopicReport> topics) {
        List<TopicReport> problems =
                topics.stream().filter(report -> report.problem() != null).toList();
        // A problem of the broker itself is reported once and not for each topic.
        List<String> distinct =
                problems.stream().map(TopicReport::problem).distinct().toList();
        if (problems.size() > 1 && distinct.size() == 1 && problems.stream().noneMatch(TopicReport::isMissing)) {
            return List.of("kafka: " + distinct.get(0));
        }
        return problems.stream()
                .map(report -> "kafka: topic " + report.topic() + ": " + report.problem())
                .toList();
    }
}

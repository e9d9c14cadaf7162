package io.iocluster.node;

import io.iocluster.client.AnswerFeed;
import io.iocluster.client.RequestQueue;
import io.iocluster.kafka.KafkaAnswers;
import io.iocluster.kafka.KafkaRequests;
import io.iocluster.kafka.KafkaTopics;
import io.iocluster.kafka.KafkaTopics.Report;
import io.iocluster.kafka.KafkaTransport;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.PipelineEvents;
import io.iocluster.trace.Tracing;
import io.iocluster.transport.outage.RootCause;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.KafkaException;

/** Kafka, as the commands use it. Has no state. */
final class KafkaAccess implements BrokerAccess {

    private static final Duration PROBE_WITHIN = Duration.ofSeconds(10);

    @Override
    public Pipeline pipeline(NodeSettings settings, PipelineEvents events, Tracing tracing) {
        KafkaTransport transport =
                new KafkaTransport(settings.kafka(), settings.node().id());
        return new Pipeline(settings.pipeline(), transport, events, tracing);
    }

    @Override
    public RequestQueue requests(NodeSettings settings) throws IOException {
        try {
            return new KafkaRequests(settings.kafka(), settings.node().id());
        } catch (KafkaException failed) {
            throw new IOException(problem(settings, failed), failed);
        }
    }

    @Override
    public AnswerFeed answers(NodeSettings settings) throws IOException {
        try {
            return new KafkaAnswers(settings.kafka(), settings.node().id(), true);
        } catch (KafkaException failed) {
            throw new IOException(problem(settings, failed), failed);
        }
    }

    /** What Kafka's client fails with may say only what it was about, and its last cause why. */
    private static String problem(NodeSettings settings, KafkaException failed) {
        Throwable root = RootCause.of(failed);
        String problem = failed.getMessage();
        if (root != failed && root.getMessage() != null) {
            problem += ": " + root.getMessage();
        }
        return "kafka: " + settings.kafka().bootstrapServers() + ": " + problem;
    }

    @Override
    public Probe probe(NodeSettings settings) {
        List<Report> topics = new KafkaTopics(settings.kafka(), settings.node().id()).check(PROBE_WITHIN);
        List<String> reached = new ArrayList<>();
        reached.add("kafka: reached " + settings.kafka().bootstrapServers());
        topics.stream()
                .filter(report -> report.problem() == null)
                .map(report -> "kafka: topic " + report.topic() + ": " + described(report))
                .forEach(reached::add);
        List<String> warnings = topics.stream()
                .filter(report -> report.sizeWarning() != null)
                .map(report -> "kafka: topic " + report.topic() + ": " + report.sizeWarning())
                .toList();
        return new Probe(reached, warnings, problems(topics));
    }

    private static String described(Report topic) {
        if (!topic.exists()) {
            return "will be made";
        }
        String partitions = topic.partitions() == 1 ? "1 partition" : topic.partitions() + " partitions";
        return topic.warning() == null
                ? partitions
                : partitions + "; warning: it accepts compressed records, and " + topic.warning();
    }

    private static List<String> problems(List<Report> topics) {
        List<Report> problems =
                topics.stream().filter(report -> report.problem() != null).toList();
        // What is wrong with the broker is said once, not once for each topic.
        List<String> distinct =
                problems.stream().map(Report::problem).distinct().toList();
        if (problems.size() > 1 && distinct.size() == 1 && problems.stream().noneMatch(Report::missing)) {
            return List.of("kafka: " + distinct.get(0));
        }
        return problems.stream()
                .map(report -> "kafka: topic " + report.topic() + ": " + report.problem())
                .toList();
    }
}

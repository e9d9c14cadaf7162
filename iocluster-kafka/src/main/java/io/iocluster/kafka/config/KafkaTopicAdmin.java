package io.iocluster.kafka.config;

import io.iocluster.kafka.config.KafkaSettings.TopicCreation;
import io.iocluster.settings.DataSize;
import io.iocluster.settings.DurationText;
import io.iocluster.transport.outage.RootCause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks and creates the topics of the settings. Stateless; each method opens its own connection and blocks. */
public final class KafkaTopicAdmin {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaTopicAdmin.class);
    private static final String MISSING = "does not exist";
    /** Delayed retries must outlast their delay and an outage, whatever the broker's defaults are. */
    private static final Map<String, String> LONG_RETENTION = Map.of(
            TopicConfig.CLEANUP_POLICY_CONFIG,
            TopicConfig.CLEANUP_POLICY_DELETE,
            TopicConfig.RETENTION_MS_CONFIG,
            Long.toString(Duration.ofDays(7).toMillis()));

    private static final String NO_COMPRESSION = "uncompressed";

    /** Makes the broker decompress each batch, so that its {@code max.message.bytes} limits what a node reads. */
    private static final Map<String, String> UNCOMPRESSED = Map.of(TopicConfig.COMPRESSION_TYPE_CONFIG, NO_COMPRESSION);
    /** Bytes that the node's headers add to a dead letter or a delayed retry. */
    private static final long NODE_HEADER_BYTES = 4_096;
    /** Bytes of an answer beside its body, if the target sends usual headers. */
    private static final long ANSWER_FRAME_BYTES = 4_096;

    private static final Duration CREATE_WITHIN = Duration.ofSeconds(10);
    private static final Duration CONFIG_WITHIN = Duration.ofSeconds(3);

    private final KafkaSettings settings;
    private final KafkaConnections connections;

    public KafkaTopicAdmin(KafkaConnections connections) {
        this.settings = connections.settings();
        this.connections = connections;
    }

    /**
     * One topic as the broker describes it.
     *
     * @param partitions 0 if the topic does not exist or could not be described
     * @param problem human-readable; null if the topic can be used, or if it is missing and the node will create it
     * @param warning human-readable advice, although the node can work; null if there is none
     * @param sizeWarnings human-readable; one for each message size that other topics or the node allow and the topic does not accept
     */
    public record TopicReport(
            String topic, boolean exists, int partitions, String problem, String warning, List<String> sizeWarnings) {

        private static TopicReport failed(String topic, String problem) {
            return new TopicReport(topic, false, 0, problem, null, List.of());
        }

        private TopicReport withSizeWarnings(List<String> texts) {
            return new TopicReport(topic, exists, partitions, problem, warning, texts);
        }

        /** Returns whether the topic does not exist and the node will not create it. */
        public boolean isMissing() {
            return MISSING.equals(problem);
        }
    }

    /**
     * Creates missing topics, if the settings enable it. Other nodes may create them at the same time.
     *
     * @param role part of the client id
     * @throws KafkaException if a topic cannot be created
     */
    public void createMissing(String role) {
        if (!settings.createTopics().enabled()) {
            return;
        }
        TopicCreation creation = settings.createTopics();
        List<NewTopic> topics = names().stream()
                .map(name -> new NewTopic(name, creation.partitions(), (short) creation.replicationFactor())
                        .configs(configs(name)))
                .toList();
        try (Admin admin = connections.openAdmin(role + "-topics")) {
            Map<TopicPartition, OffsetSpec> newPartitions = new HashMap<>();
            for (Map.Entry<String, KafkaFuture<Void>> created :
                    admin.createTopics(topics).values().entrySet()) {
                if (awaitCreated(created.getKey(), created.getValue())) {
                    IntStream.range(0, creation.partitions())
                            .forEach(i ->
                                    newPartitions.put(new TopicPartition(created.getKey(), i), OffsetSpec.latest()));
                }
            }
            awaitLeaders(admin, newPartitions);
        }
    }

    private Map<String, String> configs(String name) {
        if (settings.delayedTopics().delayTopics().contains(name)) {
            return LONG_RETENTION;
        }
        return settings.requests().topics().contains(name) ? UNCOMPRESSED : Map.of();
    }

    /**
     * Returns whether each request topic is known to refuse compressed records. Logs a warning for each topic that
     * accepts them, because the broker does not limit their expanded size.
     */
    boolean areUncompressed(String role) {
        try (Admin admin = connections.openAdmin(role + "-topics")) {
            long deadline = deadline(CONFIG_WITHIN);
            boolean uncompressed = true;
            for (String topic : settings.requests().topics()) {
                String type = compressionType(admin, topic, deadline);
                uncompressed &= NO_COMPRESSION.equals(type);
                String warning = compressionWarning(topic, type);
                if (warning != null) {
                    LOG.warn("Request topic accepts compressed records topic={} consequence={}", topic, warning);
                }
            }
            admin.close(Duration.ZERO);
            return uncompressed;
        }
    }

    /** Returns advice for a topic that accepts compressed records; null if it does not, or if that is unknown. */
    private static String compressionWarning(String topic, String type) {
        return type == null || type.equals(NO_COMPRESSION)
                ? null
                : "one record may exceed the heap when decompressed and crash the node; run kafka-configs.sh"
                        + " --alter --topic " + topic + " --add-config compression.type=uncompressed";
    }

    /** Returns the topic's {@code compression.type}; null if it is unknown. */
    private String compressionType(Admin admin, String topic, long deadline) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try {
            Config config =
                    await(admin.describeConfigs(List.of(resource)).values().get(resource), deadline);
            ConfigEntry type = config.get(TopicConfig.COMPRESSION_TYPE_CONFIG);
            return type == null ? null : type.value();
        } catch (ExecutionException | TimeoutException unavailable) {
            LOG.debug("Topic configuration unknown topic={}", topic, unavailable);
            return null;
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** Returns whether the topic was missing. */
    private boolean awaitCreated(String topic, KafkaFuture<Void> created) {
        try {
            connections.await(created, CREATE_WITHIN);
            LOG.info("Topic created topic={}", topic);
            return true;
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw new KafkaException("topic \"" + topic + "\" cannot be created", e.getCause());
            }
            return false;
        } catch (TimeoutException e) {
            throw new KafkaException("topic \"" + topic + "\" cannot be created", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted", e);
        }
    }

    /**
     * Waits until each partition has an active leader. Before that, the broker may accept a producer's second batch and
     * refuse the first one forever (KAFKA-15591). The check lists offsets, because only the leader can answer that.
     */
    private void awaitLeaders(Admin admin, Map<TopicPartition, OffsetSpec> newPartitions) {
        try {
            connections.await(admin.listOffsets(newPartitions).all(), CREATE_WITHIN);
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("Created topics have no leaders yet; first publishes may fail error={}", RootCause.message(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted", e);
        }
    }

    /**
     * Connects to a broker and disconnects.
     *
     * @param left returns how long to wait; called after the client was created, because that takes time on a busy machine
     * @throws KafkaException if no broker answers within this time, or it refuses the client
     */
    public void requireReachable(Supplier<Duration> left) {
        try (Admin admin = connections.openAdmin("connect")) {
            Duration timeout = left.get();
            try {
                connections.await(admin.describeCluster().clusterId(), timeout);
            } catch (ExecutionException e) {
                throw isUnreachable(e.getCause())
                        ? new KafkaException("no broker answers")
                        : new KafkaException("the broker refuses the connection", e.getCause());
            } catch (TimeoutException e) {
                throw new KafkaException("no broker answers within " + DurationText.format(timeout));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new KafkaException("interrupted", e);
            } finally {
                admin.close(Duration.ZERO);
            }
        }
    }

    /**
     * The largest response body that the node accepts.
     *
     * @param truncated whether the node truncates a body that the topic of the answers does not accept; otherwise the answer fails
     */
    public record ResponseLimit(DataSize maxBody, boolean truncated) {

        /** The limit of a process that creates no answers. */
        public static final ResponseLimit NONE = new ResponseLimit(new DataSize(0), true);

        /** Returns the bytes of an answer with the largest body as base64. Text without many quotes is smaller. */
        private long answerBytes() {
            return (maxBody.bytes() + 2) / 3 * 4 + ANSWER_FRAME_BYTES;
        }

        /** Returns the bytes of an answer with the largest body as JSON text, in which each quote or line break takes two bytes. */
        private long safeBytes() {
            return 2 * maxBody.bytes() + ANSWER_FRAME_BYTES;
        }
    }

    /** Describes every topic of the settings. Returns problems as values, even an unreachable broker. */
    public List<TopicReport> check(Duration timeout, ResponseLimit responses) {
        long deadline = deadline(timeout);
        List<TopicReport> reports = new ArrayList<>();
        try (Admin admin = connections.openAdmin("check")) {
            Map<String, KafkaFuture<TopicDescription>> descriptions =
                    admin.describeTopics(names()).topicNameValues();
            for (String name : names()) {
                reports.add(report(admin, name, descriptions.get(name), deadline));
            }
            warnOfSmallLimits(admin, reports, responses, deadline);
            admin.close(Duration.ofMillis(500));
        } catch (KafkaException e) {
            String problem = RootCause.message(e);
            names().forEach(name -> reports.add(TopicReport.failed(name, problem)));
        }
        return reports;
    }

    private TopicReport report(Admin admin, String name, KafkaFuture<TopicDescription> description, long deadline) {
        try {
            TopicDescription found = await(description, deadline);
            String warning = settings.requests().topics().contains(name)
                    ? compressionWarning(name, compressionType(admin, name, deadline))
                    : null;
            return new TopicReport(name, true, found.partitions().size(), null, warning, List.of());
        } catch (ExecutionException e) {
            boolean missing = e.getCause() instanceof UnknownTopicOrPartitionException;
            if (missing) {
                return TopicReport.failed(name, settings.createTopics().enabled() ? null : MISSING);
            }
            return TopicReport.failed(name, isUnreachable(e.getCause()) ? noBroker() : RootCause.message(e));
        } catch (TimeoutException e) {
            return TopicReport.failed(name, noBroker());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return TopicReport.failed(name, "interrupted");
        }
    }

    /**
     * Adds a warning to each topic that accepts smaller messages than the request topics do, and to the topic of the answers if it accepts
     * smaller ones than the node creates. Does nothing if the broker does not report limits.
     */
    private void warnOfSmallLimits(Admin admin, List<TopicReport> reports, ResponseLimit responses, long deadline) {
        Map<String, Long> limits = limits(admin, reports, deadline);
        long largest = settings.requests().topics().stream()
                .mapToLong(topic -> limits.getOrDefault(topic, 0L))
                .max()
                .orElse(0);
        reports.replaceAll(report -> {
            long limit = limits.getOrDefault(report.topic(), Long.MAX_VALUE);
            List<String> warnings = new ArrayList<>();
            if (limit < largest && !settings.requests().topics().contains(report.topic())) {
                warnings.add("max.message.bytes is " + limit + ", and requests may have " + largest + ": "
                        + consequence(report.topic()) + "; raise it to at least " + (largest + NODE_HEADER_BYTES));
            }
            if (report.topic().equals(settings.answers().topic())) {
                answerWarning(limit, responses).ifPresent(warnings::add);
            }
            return report.withSizeWarnings(warnings);
        });
    }

    /** Returns a warning if an answer with the largest body exceeds the limit of the topic or of the node's producer. */
    private Optional<String> answerWarning(long topicLimit, ResponseLimit responses) {
        long producerLimit = connections.properties().maxAnswerRecord();
        long limit = Math.min(topicLimit, producerLimit);
        if (limit >= responses.answerBytes()) {
            return Optional.empty();
        }
        String name = topicLimit <= producerLimit ? "max.message.bytes" : "max.request.size of the node's producer";
        return Optional.of(name + " is " + limit + ", and http.max-response-body is " + responses.maxBody() + ": "
                + (responses.truncated()
                        ? "longer bodies are truncated to what fits"
                        : "answers with a longer body fail with answer-too-large")
                + "; raise it to at least " + responses.safeBytes() + ", or lower http.max-response-body");
    }

    private String consequence(String topic) {
        if (topic.equals(settings.deadLetters().topic())) {
            return "larger dead letters are truncated";
        }
        return topic.equals(settings.answers().topic())
                ? "answers that echo a larger context fail with answer-too-large"
                : "larger requests are not delayed";
    }

    private Map<String, Long> limits(Admin admin, List<TopicReport> reports, long deadline) {
        List<ConfigResource> topics = reports.stream()
                .filter(TopicReport::exists)
                .map(report -> new ConfigResource(ConfigResource.Type.TOPIC, report.topic()))
                .toList();
        Map<String, Long> limits = new HashMap<>();
        try {
            await(admin.describeConfigs(topics).all(), deadline)
                    .forEach((topic, config) -> limits.put(topic.name(), maxMessageBytes(config)));
        } catch (ExecutionException | TimeoutException unavailable) {
            LOG.debug("Message size limits unknown", unavailable);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return limits;
    }

    private long deadline(Duration timeout) {
        return connections.platform().nanos() + timeout.toNanos();
    }

    private <T> T await(KafkaFuture<T> answer, long deadline)
            throws InterruptedException, ExecutionException, TimeoutException {
        long remaining = Math.max(1, deadline - connections.platform().nanos());
        return connections.await(answer, Duration.ofNanos(remaining));
    }

    private static boolean isUnreachable(Throwable cause) {
        return cause instanceof org.apache.kafka.common.errors.TimeoutException || cause instanceof DisconnectException;
    }

    private String noBroker() {
        return "no broker answers at " + settings.bootstrapServers();
    }

    private Set<String> names() {
        Set<String> names = new LinkedHashSet<>(settings.requests().topics());
        names.add(settings.answers().topic());
        names.add(settings.deadLetters().topic());
        names.addAll(settings.delayedTopics().all());
        return names;
    }

    /**
     * Returns the largest message that the topic accepts, in bytes; {@link Long#MAX_VALUE} if the broker does not
     * report a limit.
     */
    public static long maxMessageBytes(Config config) {
        ConfigEntry limit = config == null ? null : config.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
        return limit == null || limit.value() == null ? Long.MAX_VALUE : Long.parseLong(limit.value());
    }
}

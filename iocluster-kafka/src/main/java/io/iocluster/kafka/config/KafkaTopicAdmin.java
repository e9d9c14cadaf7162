package io.iocluster.kafka.config;

import io.iocluster.kafka.config.KafkaSettings.TopicCreation;
import io.iocluster.transport.outage.RootCause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

/** The topics of the settings on the broker. Has no state; every method makes its own connection and blocks. */
public final class KafkaTopicAdmin {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaTopicAdmin.class);
    private static final String MISSING = "does not exist";
    /** What waits must outlast its wait and an outage besides, whatever the broker's defaults are. */
    private static final Map<String, String> KEPT_LONG = Map.of(
            TopicConfig.CLEANUP_POLICY_CONFIG,
            TopicConfig.CLEANUP_POLICY_DELETE,
            TopicConfig.RETENTION_MS_CONFIG,
            Long.toString(Duration.ofDays(7).toMillis()));

    private static final String NO_COMPRESSION = "uncompressed";

    /** The broker then decompresses each batch, and its {@code max.message.bytes} limits what a node reads. */
    private static final Map<String, String> UNCOMPRESSED = Map.of(TopicConfig.COMPRESSION_TYPE_CONFIG, NO_COMPRESSION);
    /** Bytes that the node's headers add to a dead letter or a delayed request. */
    private static final long MORE_BYTES = 4_096;

    private static final long CREATE_WITHIN_SECONDS = 10;
    private static final long CONFIG_WITHIN_SECONDS = 3;

    private final KafkaSettings settings;
    private final ClientProperties properties;

    /** Of the node with this id. */
    public KafkaTopicAdmin(KafkaSettings settings, String nodeId) {
        this(settings, new ClientProperties(settings, nodeId));
    }

    public KafkaTopicAdmin(KafkaSettings settings, ClientProperties properties) {
        this.settings = settings;
        this.properties = properties;
    }

    /**
     * One topic as the broker describes it.
     *
     * @param partitions 0 if it does not exist or could not be asked for
     * @param problem for people; null if all is well, or if it is missing and the node will make it
     * @param warning human-readable advice, although the node can work; null if there is none
     * @param sizeWarning human-readable; for a topic with a smaller message limit than the request topics; null if there is none
     */
    public record TopicReport(
            String topic, boolean exists, int partitions, String problem, String warning, String sizeWarning) {

        private static TopicReport failed(String topic, String problem) {
            return new TopicReport(topic, false, 0, problem, null, null);
        }

        private TopicReport withSizeWarning(String text) {
            return new TopicReport(topic, exists, partitions, problem, warning, text);
        }

        /** Whether the broker answered that there is no such topic, and nobody will make it. */
        public boolean isMissing() {
            return MISSING.equals(problem);
        }
    }

    /** Makes the topics that are missing, if the settings ask for it; others may make them at the same time. */
    public void createMissing(String role) {
        if (!settings.createTopics().enabled()) {
            return;
        }
        TopicCreation wanted = settings.createTopics();
        List<NewTopic> topics = names().stream()
                .map(name -> new NewTopic(name, wanted.partitions(), (short) wanted.replicationFactor())
                        .configs(configs(name)))
                .toList();
        try (Admin admin = Admin.create(properties.admin(role + "-topics"))) {
            Map<TopicPartition, OffsetSpec> fresh = new HashMap<>();
            for (Map.Entry<String, KafkaFuture<Void>> made :
                    admin.createTopics(topics).values().entrySet()) {
                if (awaitMade(made.getKey(), made.getValue())) {
                    IntStream.range(0, wanted.partitions())
                            .forEach(i -> fresh.put(new TopicPartition(made.getKey(), i), OffsetSpec.latest()));
                }
            }
            awaitLeaders(admin, fresh);
        }
    }

    private Map<String, String> configs(String name) {
        if (settings.delayedTopics().delayTopics().contains(name)) {
            return KEPT_LONG;
        }
        return settings.requests().topics().contains(name) ? UNCOMPRESSED : Map.of();
    }

    /** Warns of request topics whose records may expand without a limit that the broker enforces. */
    void warnIfCompressed(String role) {
        try (Admin admin = Admin.create(properties.admin(role + "-topics"))) {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CONFIG_WITHIN_SECONDS);
            settings.requests().topics().forEach(topic -> {
                String warning = compression(admin, topic, deadline);
                if (warning != null) {
                    LOG.warn("Request topic accepts compressed records topic={} consequence={}", topic, warning);
                }
            });
            admin.close(Duration.ZERO);
        }
    }

    /** Returns advice for a topic that accepts compressed records; null if it does not, or if that is unknown. */
    private static String compression(Admin admin, String topic, long deadline) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try {
            Config config = admin.describeConfigs(List.of(resource))
                    .values()
                    .get(resource)
                    .get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            ConfigEntry type = config.get(TopicConfig.COMPRESSION_TYPE_CONFIG);
            return type == null || type.value() == null || type.value().equals(NO_COMPRESSION)
                    ? null
                    : "one record may expand beyond the heap and end the node; run kafka-configs.sh --alter --topic "
                            + topic + " --add-config compression.type=uncompressed";
        } catch (ExecutionException | TimeoutException silent) {
            LOG.debug("Topic configuration unknown topic={}", topic, silent);
            return null;
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** Whether it was missing. */
    private static boolean awaitMade(String topic, KafkaFuture<Void> made) {
        try {
            made.get(CREATE_WITHIN_SECONDS, TimeUnit.SECONDS);
            LOG.info("Made the topic {}", topic);
            return true;
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw new KafkaException("the topic " + topic + " cannot be made", e.getCause());
            }
            return false;
        } catch (TimeoutException e) {
            throw new KafkaException("the topic " + topic + " cannot be made", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted", e);
        }
    }

    /**
     * Waits until each partition's leader knows that it is: a producer that sends while it learns that may have its second batch
     * taken and its first refused for ever (KAFKA-15591). Only its leader says how long a partition is.
     */
    private static void awaitLeaders(Admin admin, Map<TopicPartition, OffsetSpec> fresh) {
        try {
            admin.listOffsets(fresh).all().get(CREATE_WITHIN_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("The topics that were made have no leaders yet: {}", RootCause.message(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted", e);
        }
    }

    /** Asks the broker for every topic of the settings. Problems are values, a broker that is away too. */
    public List<TopicReport> check(Duration within) {
        long deadline = System.nanoTime() + within.toNanos();
        List<TopicReport> reports = new ArrayList<>();
        try (Admin admin = Admin.create(properties.admin("check"))) {
            Map<String, KafkaFuture<TopicDescription>> asked =
                    admin.describeTopics(names()).topicNameValues();
            for (String name : names()) {
                reports.add(report(admin, name, asked.get(name), deadline));
            }
            warnOfSmallerTopics(admin, reports, deadline);
            admin.close(Duration.ofMillis(500));
        } catch (KafkaException e) {
            String problem = RootCause.message(e);
            names().forEach(name -> reports.add(TopicReport.failed(name, problem)));
        }
        return reports;
    }

    private TopicReport report(Admin admin, String name, KafkaFuture<TopicDescription> asked, long deadline) {
        try {
            long left = Math.max(1, deadline - System.nanoTime());
            TopicDescription found = asked.get(left, TimeUnit.NANOSECONDS);
            String warning = settings.requests().topics().contains(name) ? compression(admin, name, deadline) : null;
            return new TopicReport(name, true, found.partitions().size(), null, warning, null);
        } catch (ExecutionException e) {
            boolean missing = e.getCause() instanceof UnknownTopicOrPartitionException;
            if (missing) {
                return TopicReport.failed(name, settings.createTopics().enabled() ? null : MISSING);
            }
            return TopicReport.failed(name, isAway(e.getCause()) ? noBroker() : RootCause.message(e));
        } catch (TimeoutException e) {
            return TopicReport.failed(name, noBroker());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return TopicReport.failed(name, "interrupted");
        }
    }

    /** Warns of each topic with a smaller message limit than the request topics. Ignores limits that the broker does not report. */
    private void warnOfSmallerTopics(Admin admin, List<TopicReport> reports, long deadline) {
        Map<String, Long> limits = limits(admin, reports, deadline);
        long largest = settings.requests().topics().stream()
                .mapToLong(topic -> limits.getOrDefault(topic, 0L))
                .max()
                .orElse(0);
        reports.replaceAll(report -> {
            long limit = limits.getOrDefault(report.topic(), Long.MAX_VALUE);
            return limit >= largest || settings.requests().topics().contains(report.topic())
                    ? report
                    : report.withSizeWarning("max.message.bytes is " + limit + ", and requests may have " + largest
                            + ": " + consequence(report.topic()) + "; raise it to at least " + (largest + MORE_BYTES));
        });
    }

    private String consequence(String topic) {
        if (topic.equals(settings.deadLetters().topic())) {
            return "larger dead letters are cut";
        }
        return topic.equals(settings.answers().topic())
                ? "answers that echo a larger context fail with answer-too-large"
                : "larger requests are not delayed";
    }

    private static Map<String, Long> limits(Admin admin, List<TopicReport> reports, long deadline) {
        List<ConfigResource> topics = reports.stream()
                .filter(TopicReport::exists)
                .map(report -> new ConfigResource(ConfigResource.Type.TOPIC, report.topic()))
                .toList();
        Map<String, Long> limits = new HashMap<>();
        try {
            long left = Math.max(1, deadline - System.nanoTime());
            admin.describeConfigs(topics)
                    .all()
                    .get(left, TimeUnit.NANOSECONDS)
                    .forEach((topic, config) -> limits.put(topic.name(), maxMessageBytes(config)));
        } catch (ExecutionException | TimeoutException notTold) {
            LOG.debug("Message size limits unknown", notTold);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return limits;
    }

    private static boolean isAway(Throwable cause) {
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

    /** Returns the largest message that the topic accepts, in bytes; {@link Long#MAX_VALUE} if the broker does not report a limit. */
    public static long maxMessageBytes(Config config) {
        ConfigEntry limit = config == null ? null : config.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
        return limit == null || limit.value() == null ? Long.MAX_VALUE : Long.parseLong(limit.value());
    }
}

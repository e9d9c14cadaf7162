package io.iocluster.kafka.cluster;

import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaTopicAdmin.TopicReport;
import io.iocluster.transport.cluster.ClusterChannel;
import io.iocluster.transport.outage.RootCause;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks and creates the topic of announcements. Immutable; each method opens its own connection and blocks. */
public final class ClusterTopic {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterTopic.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /**
     * The broker keeps the latest record of each node, deletes old records, and refuses records that are too large for the nodes. It
     * stores records uncompressed, so that its size limit applies to the uncompressed size.
     */
    private static final Map<String, String> CONFIGS = Map.of(
            TopicConfig.CLEANUP_POLICY_CONFIG,
            TopicConfig.CLEANUP_POLICY_COMPACT + "," + TopicConfig.CLEANUP_POLICY_DELETE,
            TopicConfig.RETENTION_MS_CONFIG,
            Long.toString(Duration.ofHours(1).toMillis()),
            TopicConfig.SEGMENT_MS_CONFIG,
            Long.toString(Duration.ofMinutes(10).toMillis()),
            TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
            Integer.toString(2 * ClusterChannel.MAX_RECORD_BYTES),
            TopicConfig.COMPRESSION_TYPE_CONFIG,
            "uncompressed");

    private final KafkaSettings settings;
    private final KafkaConnections connections;

    public ClusterTopic(KafkaConnections connections) {
        this.settings = connections.settings();
        this.connections = connections;
    }

    String name() {
        return settings.clusterTopic();
    }

    /**
     * Creates the topic if it is missing and the settings allow it. Other nodes may create it at the same time.
     *
     * @return whether the topic exists now
     * @throws KafkaException if the broker does not answer or refuses
     */
    boolean ensureExists() {
        try (Admin admin = connections.openAdmin("cluster-topic")) {
            boolean exists = describe(admin, TIMEOUT) != null;
            if (!exists && settings.createTopics().enabled()) {
                create(admin);
                exists = true;
            }
            admin.close(Duration.ZERO);
            return exists;
        }
    }

    /** Returns the problem of a missing topic, and what an operator can do about it. */
    String missingTopicProblem() {
        return "topic \"" + name() + "\" does not exist; create it with one partition, or set"
                + " kafka.create-topics.enabled: true or cluster.enabled: false";
    }

    /** Returns the reason of a failure, and what an operator can do if a retry does not help. */
    String explain(Throwable failure) {
        String remedy = RootCause.of(failure) instanceof AuthorizationException
                ? "; grant this node read, write and describe on topic \"" + name()
                        + "\", or set cluster.enabled: false"
                : "";
        return RootCause.message(failure) + remedy;
    }

    /** Describes the topic. Reports problems as values, also an unreachable broker. */
    public TopicReport check(Duration timeout) {
        try (Admin admin = connections.openAdmin("cluster-topic")) {
            TopicDescription found = describe(admin, timeout);
            admin.close(Duration.ZERO);
            if (found != null) {
                return report(true, found.partitions().size(), null);
            }
            return report(false, 0, settings.createTopics().enabled() ? null : "does not exist");
        } catch (KafkaException failed) {
            return report(false, 0, RootCause.message(failed));
        }
    }

    private TopicReport report(boolean exists, int partitions, String problem) {
        return new TopicReport(name(), exists, partitions, problem, null, List.of());
    }

    /** Returns null if the topic does not exist. */
    private TopicDescription describe(Admin admin, Duration timeout) {
        try {
            return connections.await(
                    admin.describeTopics(List.of(name())).topicNameValues().get(name()), timeout);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof UnknownTopicOrPartitionException) {
                return null;
            }
            throw failure("described", failed.getCause());
        } catch (TimeoutException late) {
            throw failure("described", late);
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
    }

    private void create(Admin admin) {
        short replicas = (short) settings.createTopics().replicationFactor();
        try {
            NewTopic topic = new NewTopic(name(), 1, replicas).configs(CONFIGS);
            connections.await(admin.createTopics(List.of(topic)).all(), TIMEOUT);
            LOG.info("Topic created topic={}", name());
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RetriableException) {
                throw failure("created", failed.getCause());
            }
            if (!(failed.getCause() instanceof TopicExistsException)) {
                throw refusal(failed.getCause());
            }
        } catch (TimeoutException late) {
            throw failure("created", late);
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted);
        }
    }

    private KafkaException failure(String action, Throwable cause) {
        String what = "topic \"" + name() + "\" cannot be " + action + ": "
                + (cause.getMessage() == null ? "no broker answers" : explain(cause));
        return cause instanceof RetriableException || cause instanceof TimeoutException
                ? new org.apache.kafka.common.errors.TimeoutException(what)
                : new KafkaException(what);
    }

    private KafkaException refusal(Throwable cause) {
        return new KafkaException("topic \"" + name() + "\" cannot be created: " + RootCause.message(cause)
                + "; create it with one partition, or set cluster.enabled: false");
    }

    private static KafkaException interrupted(InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return new KafkaException("interrupted", interrupted);
    }
}

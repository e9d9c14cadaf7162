package io.iocluster.kafka.sink;

import io.iocluster.kafka.config.KafkaTopicAdmin;
import io.iocluster.transport.PublishResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows which topics exist and how large their messages may be. Asks the broker in the background, once a minute for each topic, and
 * every two seconds for a topic that does not exist. The producer never gets a message for a topic that does not exist. For any
 * thread, except {@link #open}.
 */
final class TopicMetadataCache {

    private static final Logger LOG = LoggerFactory.getLogger(TopicMetadataCache.class);
    private static final long KNOWN_NANOS = Duration.ofMinutes(1).toNanos();
    private static final long MISSING_NANOS = Duration.ofSeconds(2).toNanos();
    private static final int MOST = 10_000;
    private static final int MOST_ASKED = 64;

    private final Map<String, Object> properties;
    private final boolean compressed;
    private final Runnable answered;
    private final Map<String, Limit> limits = new ConcurrentHashMap<>();
    private final Set<String> asked = ConcurrentHashMap.newKeySet();
    private volatile Admin admin;

    /** What the broker said at a time; why the topic cannot be written to, or null, and its limit. */
    private record Limit(long at, String problem, boolean missing, long bytes) {

        boolean isFresh(long now) {
            return now - at < (problem == null ? KNOWN_NANOS : MISSING_NANOS);
        }
    }

    /** Whether a publication can be given to the producer. */
    enum TopicCheck {
        ACCEPTED,
        /** The publication is completed. */
        REJECTED,
        /** The broker has not answered yet. */
        UNKNOWN
    }

    /**
     * Creates an instance that has asked about no topic yet.
     *
     * @param answered runs after the broker has described a topic, on a thread that must not block
     */
    TopicMetadataCache(Map<String, Object> admin, boolean compressed, Runnable answered) {
        this.properties = admin;
        this.compressed = compressed;
        this.answered = answered;
    }

    /**
     * Creates the admin client, unless it exists. Called by one thread; may block.
     *
     * @throws KafkaException if it cannot be created
     */
    void open() {
        if (admin == null) {
            admin = Admin.create(properties);
        }
    }

    /** Returns whether the topic is already known to exist and to accept the publication. */
    boolean isKnownToAccept(PendingSend publication, long now) {
        Limit known = limits.get(publication.message().topic());
        return known != null
                && known.problem() == null
                && known.isFresh(now)
                && sizeFor(known, publication) <= known.bytes();
    }

    /** Completes the publication if its topic cannot accept it. Asks the broker if that is not known. */
    TopicCheck check(PendingSend publication, long now) {
        String topic = publication.message().topic();
        Limit limit = limits.get(topic);
        if (limit == null || !limit.isFresh(now)) {
            ask(topic);
            return TopicCheck.UNKNOWN;
        }
        if (limit.problem() != null) {
            publication.complete(
                    limit.missing()
                            ? new PublishResult.UnknownTopicOrQueue(limit.problem())
                            : new PublishResult.Failed(limit.problem()));
            return TopicCheck.REJECTED;
        }
        long size = sizeFor(limit, publication);
        if (size > limit.bytes()) {
            publication.complete(new PublishResult.TooLarge(size + " bytes, and " + topic + " takes " + limit.bytes()));
            return TopicCheck.REJECTED;
        }
        return TopicCheck.ACCEPTED;
    }

    /** Returns whether the topic does not exist, by the broker's last answer; asks again if that is too old. */
    boolean isKnownMissing(String topic, long now) {
        Limit limit = limits.get(topic);
        if (limit == null || !limit.isFresh(now)) {
            ask(topic);
        }
        return limit != null && limit.missing();
    }

    private long sizeFor(Limit limit, PendingSend publication) {
        return compressed || limit.bytes() == Long.MAX_VALUE ? 0 : publication.estimatedBytes();
    }

    void forget(String topic) {
        limits.remove(topic);
    }

    private void ask(String topic) {
        Admin client = admin;
        if (client == null || asked.size() >= MOST_ASKED || !asked.add(topic)) {
            return;
        }
        try {
            client.describeTopics(List.of(topic)).allTopicNames().whenComplete((found, failure) -> {
                if (failure == null) {
                    askLargestMessage(client, topic);
                } else {
                    refused(topic, failure);
                }
            });
        } catch (KafkaException closed) {
            refused(topic, closed);
        }
    }

    private void askLargestMessage(Admin client, String topic) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try {
            client.describeConfigs(List.of(resource))
                    .all()
                    .whenComplete((configs, failure) -> learn(
                            topic,
                            null,
                            false,
                            failure == null ? KafkaTopicAdmin.maxMessageBytes(configs.get(resource)) : Long.MAX_VALUE));
        } catch (KafkaException closed) {
            refused(topic, closed);
        }
    }

    private void refused(String topic, Throwable thrown) {
        Throwable failure =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (failure instanceof UnknownTopicOrPartitionException || failure instanceof InvalidTopicException) {
            learn(topic, "the topic " + topic + " does not exist", true, 0);
        } else if (failure instanceof AuthorizationException) {
            learn(topic, failure.getMessage(), false, 0);
        } else {
            LOG.debug("Topic not described; broker unreachable topic={}", topic, failure);
            Limit known = limits.get(topic);
            if (known != null && known.problem() == null) {
                learn(topic, null, false, known.bytes());
            } else {
                asked.remove(topic);
            }
        }
    }

    private void learn(String topic, String problem, boolean missing, long bytes) {
        if (limits.size() >= MOST) {
            limits.clear();
        }
        limits.put(topic, new Limit(System.nanoTime(), problem, missing, bytes));
        asked.remove(topic);
        answered.run();
    }

    void close() {
        Admin last = admin;
        if (last != null) {
            last.close(Duration.ofMillis(500));
        }
    }
}

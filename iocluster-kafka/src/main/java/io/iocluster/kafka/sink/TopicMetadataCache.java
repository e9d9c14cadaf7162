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
 * Caches which topics exist and how large their messages may be. Asks the broker in the background, once a minute for
 * each topic, and every two seconds for a topic that does not exist. The producer never gets a message for a topic that
 * does not exist. Thread-safe, except {@link #open}.
 */
final class TopicMetadataCache {

    private static final Logger LOG = LoggerFactory.getLogger(TopicMetadataCache.class);
    private static final long KNOWN_NANOS = Duration.ofMinutes(1).toNanos();
    private static final long MISSING_NANOS = Duration.ofSeconds(2).toNanos();
    private static final int MAX_TOPICS = 10_000;
    private static final int MAX_REQUESTS = 64;

    private final Map<String, Object> properties;
    private final boolean compressed;
    private final Runnable onDescribed;
    private final Map<String, Limit> limits = new ConcurrentHashMap<>();
    private final Set<String> requested = ConcurrentHashMap.newKeySet();
    private volatile Admin admin;

    /**
     * The broker's description of a topic.
     *
     * @param at {@link System#nanoTime} of the description
     * @param problem why the topic cannot be written to, or null
     * @param bytes largest accepted message
     */
    private record Limit(long at, String problem, boolean missing, long bytes) {

        boolean isFresh(long now) {
            return now - at < (problem == null ? KNOWN_NANOS : MISSING_NANOS);
        }
    }

    /** Whether a message can be passed to the producer. */
    enum TopicCheck {
        ACCEPTED,
        /** The message is completed with a failure. */
        REJECTED,
        /** The broker has not answered yet. */
        UNKNOWN
    }

    /**
     * Creates an empty cache.
     *
     * @param compressed whether the producer compresses, so that the size on the broker is unknown
     * @param onDescribed runs after the broker has described a topic, on a thread that must not block
     */
    TopicMetadataCache(Map<String, Object> admin, boolean compressed, Runnable onDescribed) {
        this.properties = admin;
        this.compressed = compressed;
        this.onDescribed = onDescribed;
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

    /** Returns whether the topic is already known to exist and to accept the message. */
    boolean isKnownToAccept(PendingSend publication, long now) {
        Limit known = limits.get(publication.message().topic());
        return known != null
                && known.problem() == null
                && known.isFresh(now)
                && sizeFor(known, publication) <= known.bytes();
    }

    /** Completes the message with a failure if its topic cannot accept it. Asks the broker if that is not known. */
    TopicCheck check(PendingSend publication, long now) {
        String topic = publication.message().topic();
        Limit limit = limits.get(topic);
        if (limit == null || !limit.isFresh(now)) {
            request(topic);
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
            publication.complete(
                    new PublishResult.TooLarge(size + " bytes, and " + topic + " accepts at most " + limit.bytes()));
            return TopicCheck.REJECTED;
        }
        return TopicCheck.ACCEPTED;
    }

    /** Returns whether the topic does not exist, by the broker's last answer; asks again if that is too old. */
    boolean isKnownMissing(String topic, long now) {
        Limit limit = limits.get(topic);
        if (limit == null || !limit.isFresh(now)) {
            request(topic);
        }
        return limit != null && limit.missing();
    }

    private long sizeFor(Limit limit, PendingSend publication) {
        return compressed || limit.bytes() == Long.MAX_VALUE ? 0 : publication.estimatedBytes();
    }

    /** Removes a topic, so that the broker is asked again. */
    void forget(String topic) {
        limits.remove(topic);
    }

    private void request(String topic) {
        Admin client = admin;
        if (client == null || requested.size() >= MAX_REQUESTS || !requested.add(topic)) {
            return;
        }
        try {
            client.describeTopics(List.of(topic)).allTopicNames().whenComplete((found, failure) -> {
                if (failure == null) {
                    requestMaxMessageBytes(client, topic);
                } else {
                    recordFailure(topic, failure);
                }
            });
        } catch (KafkaException closed) {
            recordFailure(topic, closed);
        }
    }

    private void requestMaxMessageBytes(Admin client, String topic) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try {
            client.describeConfigs(List.of(resource))
                    .all()
                    .whenComplete((configs, failure) -> store(
                            topic,
                            null,
                            false,
                            failure == null ? KafkaTopicAdmin.maxMessageBytes(configs.get(resource)) : Long.MAX_VALUE));
        } catch (KafkaException closed) {
            recordFailure(topic, closed);
        }
    }

    private void recordFailure(String topic, Throwable thrown) {
        Throwable failure =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (failure instanceof UnknownTopicOrPartitionException || failure instanceof InvalidTopicException) {
            store(topic, "the topic " + topic + " does not exist", true, 0);
        } else if (failure instanceof AuthorizationException) {
            store(topic, failure.getMessage(), false, 0);
        } else {
            LOG.debug("Topic not described; broker unreachable topic={}", topic, failure);
            Limit known = limits.get(topic);
            if (known != null && known.problem() == null) {
                store(topic, null, false, known.bytes());
            } else {
                requested.remove(topic);
            }
        }
    }

    private void store(String topic, String problem, boolean missing, long bytes) {
        if (limits.size() >= MAX_TOPICS) {
            limits.clear();
        }
        limits.put(topic, new Limit(System.nanoTime(), problem, missing, bytes));
        requested.remove(topic);
        onDescribed.run();
    }

    void close() {
        Admin last = admin;
        if (last != null) {
            last.close(Duration.ofMillis(500));
        }
    }
}

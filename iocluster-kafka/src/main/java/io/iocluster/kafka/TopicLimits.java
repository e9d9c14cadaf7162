package io.iocluster.kafka;

import io.iocluster.transport.PublishResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Which topics exist and how large a message they take, asked of the broker once a minute. Confined to the publisher thread
 * but for {@link #surelyTakes} and {@link #close}. The producer is never given a message for a topic that does not exist, for it would hold up all
 * that come after.
 */
final class TopicLimits {

    private static final long KNOWN_NANOS = Duration.ofMinutes(1).toNanos();
    private static final long MISSING_NANOS = Duration.ofSeconds(2).toNanos();
    private static final long ANSWER_WITHIN_SECONDS = 6;
    private static final int MOST = 10_000;

    private final Map<String, Object> properties;
    private final boolean compressed;
    private final Map<String, Limit> limits = new ConcurrentHashMap<>();
    private volatile Admin admin;

    /** What the broker said at a time; why the topic cannot be written to, or null, and its limit. */
    private record Limit(long at, String problem, long bytes) {

        boolean isFresh(long now) {
            return now - at < (problem == null ? KNOWN_NANOS : MISSING_NANOS);
        }
    }

    TopicLimits(Map<String, Object> admin, boolean compressed) {
        this.properties = admin;
        this.compressed = compressed;
    }

    /** Whether it is known without asking that the topic exists and takes the publication. Any thread. */
    boolean surelyTakes(Publication publication, long now) {
        Limit known = limits.get(publication.message().topic());
        return known != null
                && known.problem() == null
                && known.isFresh(now)
                && sizeFor(known, publication) <= known.bytes();
    }

    /**
     * Completes the publication if its topic cannot take it.
     *
     * @throws KafkaException if the broker does not say
     */
    boolean rejects(Publication publication) {
        Limit limit = of(publication.message().topic());
        if (limit.problem() != null) {
            publication.fail(limit.problem());
            return true;
        }
        long size = sizeFor(limit, publication);
        if (size > limit.bytes()) {
            publication.complete(new PublishResult.TooLarge(
                    size + " bytes, and " + publication.message().topic() + " takes " + limit.bytes()));
            return true;
        }
        return false;
    }

    private long sizeFor(Limit limit, Publication publication) {
        return compressed || limit.bytes() == Long.MAX_VALUE ? 0 : publication.size();
    }

    void forget(String topic) {
        limits.remove(topic);
    }

    private Limit of(String topic) {
        long now = System.nanoTime();
        Limit known = limits.get(topic);
        if (known != null && known.isFresh(now)) {
            return known;
        }
        if (limits.size() >= MOST) {
            limits.clear();
        }
        Limit asked = ask(topic, known, now);
        limits.put(topic, asked);
        return asked;
    }

    private Limit ask(String topic, Limit known, long now) {
        try {
            if (admin == null) {
                admin = Admin.create(properties);
            }
            await(admin.describeTopics(List.of(topic)).allTopicNames());
            return new Limit(now, null, largestMessage(topic));
        } catch (UnknownTopicOrPartitionException | InvalidTopicException missing) {
            return new Limit(now, "the topic " + topic + " does not exist", 0);
        } catch (AuthorizationException forbidden) {
            return new Limit(now, forbidden.getMessage(), 0);
        } catch (KafkaException away) {
            if (known == null || known.problem() != null) {
                throw away;
            }
            return new Limit(now, null, known.bytes());
        }
    }

    private long largestMessage(String topic) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try {
            Config config =
                    await(admin.describeConfigs(List.of(resource)).all()).get(resource);
            return Long.parseLong(
                    config.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG).value());
        } catch (KafkaException notTold) {
            return Long.MAX_VALUE;
        }
    }

    private static <T> T await(org.apache.kafka.common.KafkaFuture<T> asked) {
        try {
            return asked.get(ANSWER_WITHIN_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof KafkaException known) {
                throw known;
            }
            throw new KafkaException(e.getCause());
        } catch (java.util.concurrent.TimeoutException e) {
            throw new org.apache.kafka.common.errors.TimeoutException("no answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted", e);
        }
    }

    /** Any thread. */
    void close() {
        Admin last = admin;
        if (last != null) {
            last.close(Duration.ofMillis(500));
        }
    }
}

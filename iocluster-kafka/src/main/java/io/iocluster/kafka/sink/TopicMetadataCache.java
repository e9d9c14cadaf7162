package io.iocluster.kafka.sink;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.kafka.sink.TopicDescriber.Description;
import io.iocluster.transport.PublishResult;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Caches which topics exist and how large their messages may be. Asks the broker in the background, once a minute for
 * each topic, and every two seconds for a topic that does not exist. Rejects a message as too large only by a limit
 * that it read in the last two seconds. The producer never gets a message for a topic that is not known to exist. A topic that
 * existed at the last answer is used while the broker is asked again, and lookups of unknown names do not delay that.
 * Thread-safe, except {@link #open}.
 */
final class TopicMetadataCache {

    /** Bounds the memory for names, which senders choose. */
    static final int MAX_TOPICS = 10_000;

    static final Duration REFRESH_AFTER = Duration.ofMinutes(1);
    static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    private final TopicDescriber describer;
    private final boolean compressed;
    private final Runnable onDescribed;
    private final LongSupplier nanos;
    private final TopicLookups refreshes;
    private final TopicLookups lookups;
    private final TopicLookups prefetches;

    /** Topics that exist and can be written to. */
    private final Map<String, Topic> usable = new ConcurrentHashMap<>();

    /** Topics that do not exist or refuse messages, the oldest answer first. */
    @GuardedBy("itself")
    private final Map<String, Topic> unusable = new LinkedHashMap<>();

    /**
     * A topic as the broker described it last.
     *
     * @param describedNanos when the broker described it, in monotonic nanoseconds
     * @param askAgainNanos when the broker is asked again, in monotonic nanoseconds
     */
    private record Topic(Description description, long describedNanos, long askAgainNanos) {

        boolean isFresh(long now) {
            return now - askAgainNanos < 0;
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
     * @param onDescribed runs after the broker has described topics, on a thread that must not block
     * @param nanos the monotonic clock
     */
    TopicMetadataCache(TopicDescriber describer, boolean compressed, Runnable onDescribed, LongSupplier nanos) {
        this.describer = describer;
        this.compressed = compressed;
        this.onDescribed = onDescribed;
        this.nanos = nanos;
        this.refreshes = new TopicLookups(describer, this::store);
        this.lookups = new TopicLookups(describer, this::store);
        this.prefetches = new TopicLookups(describer, this::storePrefetched);
    }

    /** Opens the connection to the broker, unless it is open. Called by one thread; may block. */
    void open() {
        describer.open();
    }

    /**
     * Asks the broker about a topic before its first message. If the topic does not exist yet, the first message asks again. Does nothing
     * before {@link #open}.
     */
    void prefetch(String name) {
        prefetches.request(name);
    }

    /** Returns whether the topic is known to exist and to be writable. */
    boolean isUsable(String name) {
        return usable.containsKey(name);
    }

    /** Returns whether the topic is already known to exist and to accept the message. */
    boolean isKnownToAccept(PendingSend publication, long now) {
        Topic known = usableTopic(publication.message().topic(), now);
        return known != null
                && sizeFor(known, publication) <= known.description().maxBytes();
    }

    /** Completes the message with a failure if its topic cannot accept it. Asks the broker if that is not known. */
    TopicCheck check(PendingSend publication, long now) {
        String name = publication.message().topic();
        Topic known = usableTopic(name, now);
        if (known == null) {
            return checkUnusable(publication, unusableTopic(name), now);
        }
        long size = sizeFor(known, publication);
        long maxBytes = known.description().maxBytes();
        if (size > maxBytes) {
            if (now - known.describedNanos() >= RETRY_AFTER.toNanos()) {
                // The limit may have been raised.
                refreshes.request(name);
                return TopicCheck.UNKNOWN;
            }
            publication.tooLarge(new PublishResult.TooLarge(
                    size + " bytes, and " + name + " accepts at most " + maxBytes,
                    maxBytes - (size - publication.valueBytes())));
            return TopicCheck.REJECTED;
        }
        return TopicCheck.ACCEPTED;
    }

    private TopicCheck checkUnusable(PendingSend publication, Topic topic, long now) {
        if (topic == null || !topic.isFresh(now)) {
            lookups.request(publication.message().topic());
            return TopicCheck.UNKNOWN;
        }
        String problem = topic.description().problem();
        publication.complete(
                topic.description().missing()
                        ? new PublishResult.UnknownTopicOrQueue(problem)
                        : new PublishResult.Failed(problem));
        return TopicCheck.REJECTED;
    }

    /** Returns whether the topic does not exist, by the broker's last answer; asks again if that is too old. */
    boolean isKnownMissing(String name, long now) {
        if (usableTopic(name, now) != null) {
            return false;
        }
        Topic topic = unusableTopic(name);
        if (topic == null || !topic.isFresh(now)) {
            lookups.request(name);
        }
        return topic != null && topic.description().missing();
    }

    private Topic usableTopic(String name, long now) {
        Topic topic = usable.get(name);
        if (topic != null && !topic.isFresh(now)) {
            refreshes.request(name);
        }
        return topic;
    }

    private Topic unusableTopic(String name) {
        synchronized (unusable) {
            return unusable.get(name);
        }
    }

    private long sizeFor(Topic topic, PendingSend publication) {
        return compressed || topic.description().maxBytes() == Long.MAX_VALUE ? 0 : publication.estimatedBytes();
    }

    /** Removes a topic, so that the broker is asked again before it is used. */
    void forget(String name) {
        if (usable.remove(name) != null) {
            refreshes.request(name);
        }
    }

    /** Asks the broker for the limit of a topic that refused a message as too large. */
    void refreshLimit(String name) {
        if (!compressed) {
            refreshes.request(name);
        }
    }

    private void store(List<String> names, Map<String, Description> found) {
        long now = nanos.getAsLong();
        for (String name : names) {
            Description description = found.get(name);
            if (description == null) {
                // The broker did not answer.
                usable.computeIfPresent(
                        name,
                        (key, known) ->
                                new Topic(known.description(), known.describedNanos(), now + RETRY_AFTER.toNanos()));
            } else if (description.problem() == null) {
                storeUsable(name, described(description, REFRESH_AFTER, now));
            } else {
                storeUnusable(name, described(description, RETRY_AFTER, now));
            }
        }
        onDescribed.run();
    }

    /** Stores only topics that exist, because the node creates missing ones while it starts. */
    private void storePrefetched(List<String> names, Map<String, Description> found) {
        long now = nanos.getAsLong();
        found.forEach((name, description) -> {
            if (description.problem() == null) {
                storeUsable(name, described(description, REFRESH_AFTER, now));
            }
        });
        onDescribed.run();
    }

    private static Topic described(Description description, Duration askAgainAfter, long now) {
        return new Topic(description, now, now + askAgainAfter.toNanos());
    }

    private void storeUsable(String name, Topic topic) {
        if (usable.size() >= MAX_TOPICS && !usable.containsKey(name)) {
            usable.keySet().stream().findAny().ifPresent(usable::remove);
        }
        usable.put(name, topic);
        synchronized (unusable) {
            unusable.remove(name);
        }
    }

    private void storeUnusable(String name, Topic topic) {
        usable.remove(name);
        synchronized (unusable) {
            unusable.remove(name);
            unusable.put(name, topic);
            if (unusable.size() > MAX_TOPICS) {
                unusable.remove(unusable.keySet().iterator().next());
            }
        }
    }

    void close() {
        describer.close();
    }
}

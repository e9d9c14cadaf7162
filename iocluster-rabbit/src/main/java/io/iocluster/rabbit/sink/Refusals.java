package io.iocluster.rabbit.sink;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The refusals (nacks) on one channel. Two kinds never end by themselves on RabbitMQ 3.10, and only another channel helps: a channel
 * that was opened while a quorum queue had no leader refuses everything, and a queue that was full refuses the channel's messages
 * even after its limit was raised. Confined to the publisher's loop, except for {@link #refusesAll}.
 */
final class Refusals {

    private static final long MAX_ALL_NANOS = Duration.ofSeconds(2).toNanos();

    /** Shorter than the time in which the node publishes a refused answer again. */
    private static final long MAX_QUEUE_NANOS = Duration.ofSeconds(10).toNanos();

    /** Bounds the memory, because producers choose the names. Further queues wait until the channel is replaced. */
    private static final int MAX_QUEUES = 1_000;

    /** The queues that have confirmed nothing since the refusal at this time. */
    private final Map<String, Long> queues = new HashMap<>();

    /** Time of the first refusal on a channel that has confirmed nothing; 0 if there is none. Written by the loop. */
    private volatile long allSinceNanos;

    private boolean hasConfirmed;

    /** Starts with a new channel. */
    void reset() {
        queues.clear();
        allSinceNanos = 0;
        hasConfirmed = false;
    }

    void confirmed(String queue) {
        if (!hasConfirmed) {
            hasConfirmed = true;
            allSinceNanos = 0;
        }
        if (!queues.isEmpty()) {
            queues.remove(queue);
        }
    }

    void refused(String queue, long now) {
        if (!hasConfirmed && allSinceNanos == 0) {
            allSinceNanos = now;
        }
        if (queues.size() < MAX_QUEUES) {
            queues.putIfAbsent(queue, now);
        }
    }

    /** Returns whether the channel has refused every message for two seconds. Any thread. */
    boolean refusesAll(long now) {
        long since = allSinceNanos;
        return since != 0 && now - since > MAX_ALL_NANOS;
    }

    /** Returns whether a queue has refused every message for ten seconds. */
    boolean hasRefusingQueue(long now) {
        return queues.values().stream().anyMatch(since -> now - since >= MAX_QUEUE_NANOS);
    }
}

package io.iocluster.kafka.config;

import io.iocluster.transport.DelayedRetrySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Names of the topics of delayed retries: one delay topic for each delay, and one topic of due retries, which nodes
 * consume like a request topic. Empty if delayed retries are disabled. Immutable.
 */
public final class DelayedTopics {

    private final String due;
    private final Map<Duration, String> byDelay = new LinkedHashMap<>();
    private final Map<String, Duration> byTopic = new LinkedHashMap<>();

    DelayedTopics(String group, DelayedRetrySettings settings) {
        String prefix = settings.prefixOrDefault(group);
        this.due = prefix + "-due";
        for (Duration delay : settings.enabledTiers()) {
            String topic = DelayedRetrySettings.tierName(prefix, delay);
            byDelay.put(delay, topic);
            byTopic.put(topic, delay);
        }
    }

    boolean isEmpty() {
        return byDelay.isEmpty();
    }

    /** Returns the topic of due retries. */
    public String dueTopic() {
        return due;
    }

    /** Returns whether this is the topic of due retries, to which only nodes write. */
    public boolean isDueTopic(String topic) {
        return !isEmpty() && due.equals(topic);
    }

    /** Returns the topic for this delay, or null if there is none. */
    public String delayTopic(Duration delay) {
        return byDelay.get(delay);
    }

    /** Returns the topics of all delays. */
    public List<String> delayTopics() {
        return List.copyOf(byTopic.keySet());
    }

    /** Returns the delay of one of the {@link #delayTopics}. */
    public Duration delay(String topic) {
        return byTopic.get(topic);
    }

    /** Returns the delay topics and the topic of due retries. */
    List<String> all() {
        List<String> all = new ArrayList<>(byTopic.keySet());
        if (!isEmpty()) {
            all.add(due);
        }
        return all;
    }
}

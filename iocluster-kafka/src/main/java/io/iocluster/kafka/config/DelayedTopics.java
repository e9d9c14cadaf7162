package io.iocluster.kafka.config;

import io.iocluster.transport.DelayedRetrySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The topics of what was put off: one for each wait, and the one of what is due, which the nodes read like their requests. No names
 * at all where nothing is put off. Immutable.
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

    /** Where messages go whose wait is over. */
    public String dueTopic() {
        return due;
    }

    /** Returns whether this is the topic of due retries, to which only nodes write. */
    public boolean isDueTopic(String topic) {
        return !isEmpty() && due.equals(topic);
    }

    /** Where messages wait for so long. */
    public String delayTopic(Duration delay) {
        return byDelay.get(delay);
    }

    /** Where messages wait. */
    public List<String> delayTopics() {
        return List.copyOf(byTopic.keySet());
    }

    /** How long messages stay in a topic that is one of {@link #delayTopics}. */
    public Duration delay(String topic) {
        return byTopic.get(topic);
    }

    /** All of them. */
    List<String> all() {
        List<String> all = new ArrayList<>(byTopic.keySet());
        if (!isEmpty()) {
            all.add(due);
        }
        return all;
    }
}

package io.iocluster.kafka;

import io.iocluster.transport.DelayedSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The topics of what was put off: one for each wait, and the one of what is due, which the nodes read like their requests. No names
 * at all where nothing is put off. Immutable.
 */
final class DelayedTopics {

    private final String due;
    private final Map<Duration, String> byDelay = new LinkedHashMap<>();
    private final Map<String, Duration> byTopic = new LinkedHashMap<>();

    DelayedTopics(String group, DelayedSettings settings) {
        String prefix = settings.prefixOr(group);
        this.due = prefix + "-due";
        for (Duration delay : settings.delays()) {
            String topic = DelayedSettings.name(prefix, delay);
            byDelay.put(delay, topic);
            byTopic.put(topic, delay);
        }
    }

    boolean isEmpty() {
        return byDelay.isEmpty();
    }

    /** Where messages go whose wait is over. */
    String due() {
        return due;
    }

    /** Returns whether this is the topic of due retries, to which only nodes write. */
    boolean isDue(String topic) {
        return !isEmpty() && due.equals(topic);
    }

    /** Where messages wait for so long. */
    String waitingFor(Duration delay) {
        return byDelay.get(delay);
    }

    /** Where messages wait. */
    List<String> waiting() {
        return List.copyOf(byTopic.keySet());
    }

    /** How long messages stay in a topic that is one of {@link #waiting}. */
    Duration delay(String topic) {
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

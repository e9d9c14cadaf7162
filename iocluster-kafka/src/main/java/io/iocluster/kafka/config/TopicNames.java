package io.iocluster.kafka.config;

import io.iocluster.settings.SettingsValidator;
import io.iocluster.transport.DelayedRetry;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.ReplyToPatterns;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Validates topic names, and decides which topics an envelope may name in {@code replyTo}. Immutable. */
public final class TopicNames {

    private static final int MAX_LENGTH = 249;
    private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]{1," + MAX_LENGTH + "}");
    private static final Pattern LEGAL_PATTERN = Pattern.compile("[a-zA-Z0-9._*-]{1," + MAX_LENGTH + "}");

    private static final String KEY = "key";

    private final KafkaSettings settings;
    private final ReplyToPatterns replyTo;
    private final Map<String, ReplyToPatterns> replyToByTopic = new HashMap<>();
    private final List<String> delayed;

    /** Creates the rules of these settings. */
    public TopicNames(KafkaSettings settings) {
        this.settings = settings;
        this.replyTo = new ReplyToPatterns(settings.answers().replyTo());
        settings.requests()
                .replyTo()
                .forEach((topic, patterns) -> replyToByTopic.put(topic, new ReplyToPatterns(patterns)));
        this.delayed = settings.delayedTopics().all();
    }

    /**
     * Returns whether the answer to the request may be published to this topic.
     *
     * @param key the request's record key, or null
     */
    public boolean allowsReplyTo(Delivery request, byte[] key, String topic) {
        if (topic.equals(settings.answers().topic())) {
            return true;
        }
        return isLegal(topic)
                && !topic.startsWith("__")
                && !settings.requests().topics().contains(topic)
                && !settings.deadLetters().topic().equals(topic)
                && !delayed.contains(topic)
                && !settings.clusterTopic().equals(topic)
                && replyToByTopic
                        .getOrDefault(topicOf(request), replyTo)
                        .matches(topic, placeholder -> placeholderValue(request, key, placeholder));
    }

    /** Returns the topic that the sender used; a delayed retry was read from another one. */
    private static String topicOf(Delivery request) {
        DelayedRetry earlier = DelayedRetry.fromHeaders(request);
        return earlier == null ? request.queue() : earlier.originCoordinates().replaceFirst("/.*", "");
    }

    private static String placeholderValue(Delivery request, byte[] key, String placeholder) {
        if (placeholder.equals(KEY)) {
            return key == null ? null : new String(key, StandardCharsets.UTF_8);
        }
        return request.header(placeholder.substring(ReplyToPatterns.HEADER_PLACEHOLDER_PREFIX.length()));
    }

    static void check(SettingsValidator validator, String key, String topic) {
        validator.check(isLegal(topic), key, "is not a legal topic name: " + topic);
    }

    static void checkPattern(SettingsValidator validator, String key, String pattern) {
        String problem = ReplyToPatterns.problem(pattern, Set.of(KEY));
        validator.check(problem == null, key, problem + ": " + pattern);
        validator.check(
                problem != null
                        || LEGAL_PATTERN
                                .matcher(ReplyToPatterns.withoutPlaceholders(pattern))
                                .matches(),
                key,
                "is not a topic name, with or without *: " + pattern);
    }

    /** Returns a legal topic name made of the name of a consumer group, which may have any characters, and a suffix. */
    static String derived(String group, String suffix) {
        String legal = group.replaceAll("[^a-zA-Z0-9._-]", "-");
        return legal.substring(0, Math.min(legal.length(), MAX_LENGTH - suffix.length())) + suffix;
    }

    private static boolean isLegal(String topic) {
        return LEGAL.matcher(topic).matches() && !topic.equals(".") && !topic.equals("..");
    }
}

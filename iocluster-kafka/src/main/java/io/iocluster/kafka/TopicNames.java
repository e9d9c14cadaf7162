package io.iocluster.kafka;

import io.iocluster.settings.Mistakes;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which names a topic may have, and which topics an envelope may name for its answer. Immutable. */
final class TopicNames {

    private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]{1,249}");
    private static final Pattern LEGAL_PATTERN = Pattern.compile("[a-zA-Z0-9._*-]{1,249}");

    private final KafkaSettings settings;
    private final List<Pattern> replyTo;
    private final List<String> delayed;

    TopicNames(KafkaSettings settings) {
        this.settings = settings;
        this.replyTo =
                settings.answers().replyTo().stream().map(TopicNames::compile).toList();
        this.delayed = settings.delayedTopics().all();
    }

    boolean allowsReplyTo(String topic) {
        if (topic.equals(settings.answers().topic())) {
            return true;
        }
        return isLegal(topic)
                && !topic.startsWith("__")
                && !settings.requests().topics().contains(topic)
                && !settings.deadLetters().topic().equals(topic)
                && !delayed.contains(topic)
                && replyTo.stream().anyMatch(pattern -> pattern.matcher(topic).matches());
    }

    static void check(Mistakes mistakes, String key, String topic) {
        mistakes.check(isLegal(topic), key, "is no legal name of a topic: " + topic);
    }

    static void checkPattern(Mistakes mistakes, String key, String pattern) {
        mistakes.check(
                LEGAL_PATTERN.matcher(pattern).matches(), key, "is no name of a topic with or without *: " + pattern);
    }

    private static boolean isLegal(String topic) {
        return LEGAL.matcher(topic).matches() && !topic.equals(".") && !topic.equals("..");
    }

    private static Pattern compile(String glob) {
        return Pattern.compile(
                Stream.of(glob.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
    }
}

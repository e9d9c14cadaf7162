package io.iocluster.rabbit;

import io.iocluster.settings.Mistakes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which names a queue may have, and which queues a message may name for its answer. Immutable. */
final class Places {

    /** What AMQP writes a name's length in is one byte. */
    private static final int MOST_BYTES = 255;

    private final RabbitSettings settings;
    private final List<Pattern> replyTo;

    Places(RabbitSettings settings) {
        this.settings = settings;
        this.replyTo =
                settings.answers().replyTo().stream().map(Places::compile).toList();
    }

    boolean allowsReplyTo(String queue) {
        if (settings.answers().isQueue(queue)) {
            return true;
        }
        return !queue.isBlank()
                && fits(queue)
                && !settings.requests().queue().equals(queue)
                && !settings.deadLetters().queue().equals(queue)
                && !settings.delayedQueues().contains(queue)
                && replyTo.stream().anyMatch(pattern -> pattern.matcher(queue).matches());
    }

    static void checkQueue(Mistakes mistakes, String key, String queue) {
        mistakes.notBlank(key, queue);
        checkShort(mistakes, key, queue);
    }

    static void checkShort(Mistakes mistakes, String key, String name) {
        mistakes.check(fits(name), key, "must be at most 255 bytes long: " + name);
    }

    private static boolean fits(String name) {
        return name.getBytes(StandardCharsets.UTF_8).length <= MOST_BYTES;
    }

    private static Pattern compile(String glob) {
        return Pattern.compile(
                Stream.of(glob.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")), Pattern.DOTALL);
    }
}

package io.iocluster.rabbit.config;

import io.iocluster.settings.SettingsValidator;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.ReplyToPatterns;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** Decides which queues a message may name as reply-to, and validates queue names. Immutable. */
public final class ReplyToPolicy {

    /** AMQP encodes the length of a name in one byte. */
    private static final int MAX_BYTES = 255;

    private static final String USER_ID = "user-id";

    private final RabbitSettings settings;
    private final ReplyToPatterns replyTo;

    public ReplyToPolicy(RabbitSettings settings) {
        this.settings = settings;
        this.replyTo = new ReplyToPatterns(settings.answers().replyTo());
    }

    /**
     * Returns whether the answer to the request may be published to this queue.
     *
     * @param userId the message's validated user id, or null
     */
    public boolean allowsReplyTo(Delivery request, String userId, String queue) {
        if (settings.answers().isQueue(queue)) {
            return true;
        }
        return !queue.isBlank()
                && fits(queue)
                && !settings.requests().queue().equals(queue)
                && !settings.deadLetters().queue().equals(queue)
                && !settings.delayedQueues().contains(queue)
                && !queue.startsWith(clusterQueuePrefix(settings))
                && replyTo.matches(queue, placeholder -> valueOf(request, userId, placeholder));
    }

    private static String valueOf(Delivery request, String userId, String placeholder) {
        return placeholder.equals(USER_ID)
                ? userId
                : request.header(placeholder.substring(ReplyToPatterns.HEADER_PLACEHOLDER_PREFIX.length()));
    }

    static void checkPattern(SettingsValidator validator, String key, String pattern) {
        checkQueue(validator, key, pattern);
        String problem = ReplyToPatterns.problem(pattern, Set.of(USER_ID));
        validator.check(problem == null, key, problem + ": " + pattern);
    }

    static void checkQueue(SettingsValidator validator, String key, String queue) {
        validator.checkNotBlank(key, queue);
        checkLength(validator, key, queue);
    }

    static void checkLength(SettingsValidator validator, String key, String name) {
        validator.check(fits(name), key, "must be at most 255 bytes long: " + name);
    }

    /** Returns the first part of the names of the queues that nodes bind to the exchange of announcements. */
    public static String clusterQueuePrefix(RabbitSettings settings) {
        return settings.clusterExchange() + ".";
    }

    /** Returns the name without its end, so that it has at most this many bytes. */
    static String cut(String name, int maxBytes) {
        String shortened = name;
        while (shortened.getBytes(StandardCharsets.UTF_8).length > maxBytes) {
            shortened = shortened.substring(0, shortened.offsetByCodePoints(shortened.length(), -1));
        }
        return shortened;
    }

    private static boolean fits(String name) {
        return name.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES;
    }
}

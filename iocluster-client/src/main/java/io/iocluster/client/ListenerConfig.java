package io.iocluster.client;

/**
 * The configuration of an answer subscription. Immutable.
 *
 * @param group the Kafka consumer group, whose members share the answers; RabbitMQ ignores it, because all consumers of
 *     a queue share its messages
 * @param maxInFlight maximum number of answers that the listener handles at once; 1 handles them one after the other
 * @param rememberedIds number of handled ids that are remembered to skip duplicates; 0 for none
 */
public record ListenerConfig(String group, int maxInFlight, int rememberedIds) {

    /** The defaults: group {@code iocluster-answers}, 100 in flight, 10,000 remembered ids. */
    public static final ListenerConfig DEFAULTS = new ListenerConfig("iocluster-answers", 100, 10_000);

    public ListenerConfig {
        if (group == null || group.isBlank()) {
            throw new IllegalArgumentException("group must not be blank");
        }
        if (maxInFlight < 1 || maxInFlight > 100_000) {
            throw new IllegalArgumentException("maxInFlight must be from 1 to 100,000: " + maxInFlight);
        }
        if (rememberedIds < 0 || rememberedIds > 10_000_000) {
            throw new IllegalArgumentException("rememberedIds must be from 0 to 10,000,000: " + rememberedIds);
        }
    }

    /** Returns a copy with this group. */
    public ListenerConfig group(String group) {
        return new ListenerConfig(group, maxInFlight, rememberedIds);
    }

    /** Returns a copy with this limit. */
    public ListenerConfig maxInFlight(int maxInFlight) {
        return new ListenerConfig(group, maxInFlight, rememberedIds);
    }

    /** Returns a copy with this number of remembered ids. */
    public ListenerConfig rememberedIds(int rememberedIds) {
        return new ListenerConfig(group, maxInFlight, rememberedIds);
    }
}

package io.iocluster.client;

/**
 * How answers are handed over.
 *
 * @param group those with the same one share the answers (Kafka's consumer group; on RabbitMQ all who read the queue share it)
 * @param maxInHand how many answers the listener may have at once; with 1 they come one after the other
 * @param remembered how many of the last ids handled are known, so that a repeat is left out; 0 for none
 */
public record ListenerConfig(String group, int maxInFlight, int rememberedIds) {

    /** Of the group {@code iocluster-answers}, 100 in hand, 10,000 remembered. */
    public static final ListenerConfig DEFAULTS = new ListenerConfig("iocluster-answers", 100, 10_000);

    public ListenerConfig {
        if (group == null || group.isBlank()) {
            throw new IllegalArgumentException("group must not be blank");
        }
        if (maxInFlight < 1 || maxInFlight > 100_000) {
            throw new IllegalArgumentException("maxInHand must be from 1 to 100,000: " + maxInFlight);
        }
        if (rememberedIds < 0 || rememberedIds > 10_000_000) {
            throw new IllegalArgumentException("remembered must be from 0 to 10,000,000: " + rememberedIds);
        }
    }

    /** The same for another group. */
    public ListenerConfig group(String other) {
        return new ListenerConfig(other, maxInFlight, rememberedIds);
    }

    /** The same with so many answers in hand. */
    public ListenerConfig maxInFlight(int other) {
        return new ListenerConfig(group, other, rememberedIds);
    }

    /** The same with so many ids remembered. */
    public ListenerConfig rememberedIds(int other) {
        return new ListenerConfig(group, maxInFlight, other);
    }
}

package io.iocluster.pipeline.event;

/**
 * Answers that a topic or queue has not accepted. Immutable.
 *
 * @param to where they belong
 * @param replyTo the reply-to; null if they go to the configured topic or queue
 * @param problem why it did not accept the last one that was published
 * @param answers how many it has not confirmed
 */
public record UnpublishedAnswers(To to, String replyTo, String problem, int answers) {

    /** Where answers belong. */
    public enum To {
        REPLY_TO,
        ANSWERS,
        DEAD_LETTERS
    }
}

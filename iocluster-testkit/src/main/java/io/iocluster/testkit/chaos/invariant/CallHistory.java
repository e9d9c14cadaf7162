package io.iocluster.testkit.chaos.invariant;

import io.iocluster.testkit.chaos.PlannedCall;
import java.util.List;

/**
 * The recorded events of one call. Immutable.
 *
 * @param messagesSent number of messages that the sender may have put on the queue for it; 0 if it was not sent
 * @param mayBeDeleted whether its {@code replyTo} was deleted later, with the answers in it
 * @param deadLetters number of dead letters
 */
public record CallHistory(
        PlannedCall call,
        int messagesSent,
        boolean mayBeDeleted,
        ObservedRequests requests,
        List<ObservedAnswer> answers,
        int deadLetters) {

    public CallHistory {
        answers = List.copyOf(answers);
    }

    /** Returns the number of answers and dead letters. */
    public int resultCount() {
        return answers.size() + deadLetters;
    }

    /** Returns the number of results beyond one for each message sent. */
    public int duplicates() {
        return Math.max(0, resultCount() - messagesSent);
    }

    /** Returns whether the call is over, as far as its receiver can know. */
    public boolean isSettled() {
        return messagesSent == 0 || resultCount() > 0 || mayBeDeleted;
    }
}

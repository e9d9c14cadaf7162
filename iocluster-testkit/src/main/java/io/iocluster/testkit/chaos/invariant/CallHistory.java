package io.iocluster.testkit.chaos.invariant;

import io.iocluster.testkit.chaos.PlannedCall;
import java.util.List;

/**
 * Everything that is known about one call.
 *
 * @param copies how many messages the sender may have put on the queue for it; 0: it was not sent
 * @param answerMayBeDeleted whether it was sent to a reply place that was deleted later, with the answers in it
 * @param requests how many HTTP requests the targets saw
 * @param deadLetters how many there are
 */
public record CallHistory(
        PlannedCall call,
        int messagesSent,
        boolean mayBeDeleted,
        int requests,
        List<ObservedAnswer> answers,
        int deadLetters) {

    public CallHistory {
        answers = List.copyOf(answers);
    }

    /** Returns how many results the sender got: answers and dead letters. */
    public int resultCount() {
        return answers.size() + deadLetters;
    }

    /** Returns whether the call is over, as far as a receiver can know. */
    public boolean isSettled() {
        return messagesSent == 0 || resultCount() > 0 || mayBeDeleted;
    }
}

package io.iocluster.node.egress;

import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.message.Outcome;
import java.nio.charset.StandardCharsets;

/**
 * The result of one input.
 *
 * @param text the outcome and the code, or the status and a short body
 * @param answer null if the result is a dead letter
 */
record EgressResult(String text, Answer answer) {

    private static final int SHORT = 100;

    static EgressResult answer(byte[] payload) {
        Answer answer = new AnswerDecoder().decode(payload);
        if (answer.outcome() != Outcome.ANSWERED) {
            return new EgressResult(
                    answer.outcome().wireName() + " " + answer.error().code(), answer);
        }
        String text = "answered " + answer.status();
        if (answer.truncated()) {
            text += " truncated";
        } else if (answer.body().length > 0 && answer.body().length <= SHORT) {
            text += " " + new String(answer.body(), StandardCharsets.ISO_8859_1);
        }
        return new EgressResult(text, answer);
    }

    static EgressResult deadLetter(String code) {
        return new EgressResult("dead letter " + code, null);
    }
}

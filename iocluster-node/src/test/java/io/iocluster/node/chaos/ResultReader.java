package io.iocluster.node.chaos;

import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.testkit.chaos.invariant.CallRecorder;
import io.iocluster.testkit.chaos.invariant.ObservedAnswer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads answers and dead letters into a ledger. */
final class ResultReader {

    private static final Pattern ID = Pattern.compile("c-?\\d+-\\d+");

    private final AnswerDecoder decoder = new AnswerDecoder();

    void answer(byte[] payload, CallRecorder ledger) {
        Answer answer = decoder.decode(payload);
        ledger.recordAnswer(
                String.valueOf(answer.id()),
                new ObservedAnswer(
                        answer.outcome().wireName(),
                        answer.errorCode(),
                        answer.attempts(),
                        answer.timing().queuedMs(),
                        answer.timing().totalMs()));
    }

    /** A dead letter has the original message, whose id is the only text of its form. */
    void deadLetter(byte[] payload, CallRecorder ledger) {
        Matcher id = ID.matcher(new String(payload, StandardCharsets.UTF_8));
        if (id.find()) {
            ledger.recordDeadLetter(id.group());
        }
    }
}

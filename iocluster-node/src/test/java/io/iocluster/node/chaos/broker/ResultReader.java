package io.iocluster.node.chaos.broker;

import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.testkit.chaos.invariant.CallRecorder;
import io.iocluster.testkit.chaos.invariant.ObservedAnswer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Decodes answers and dead letters, and records them. */
final class ResultReader {

    private static final Pattern ID = Pattern.compile("c-?\\d+-\\d+");

    private final AnswerDecoder decoder = new AnswerDecoder();

    void answer(byte[] payload, CallRecorder recorder) {
        Answer answer = decoder.decode(payload);
        recorder.recordAnswer(
                String.valueOf(answer.id()),
                new ObservedAnswer(
                        answer.outcome().wireName(),
                        answer.errorCode(),
                        answer.attempts(),
                        answer.timing().queuedMs(),
                        answer.timing().totalMs()));
    }

    /** A dead letter has the original message, whose id is the only text of its form. */
    void deadLetter(byte[] payload, CallRecorder recorder) {
        Matcher id = ID.matcher(new String(payload, StandardCharsets.UTF_8));
        if (id.find()) {
            recorder.recordDeadLetter(id.group());
        }
    }
}

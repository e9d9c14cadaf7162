package io.iocluster.client;

import io.iocluster.message.Answer;
import java.util.concurrent.CompletionStage;

/** Takes answers to what was enqueued. Called by several threads at a time. */
@FunctionalInterface
public interface AnswerListener {

    /**
     * Handles one answer.
     *
     * @return completes when the answer may be forgotten; where it fails, the answer is handed over again after a wait
     */
    CompletionStage<?> onAnswer(Answer answer);
}

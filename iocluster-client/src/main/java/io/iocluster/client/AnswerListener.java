package io.iocluster.client;

import io.iocluster.message.Answer;
import java.util.concurrent.CompletionStage;

/** Handles answers to enqueued requests. Called concurrently by several threads. */
@FunctionalInterface
public interface AnswerListener {

    /**
     * Handles one answer.
     *
     * @return completes when the answer may be acknowledged; if it fails, the answer is redelivered after a backoff
     */
    CompletionStage<?> onAnswer(Answer answer);
}

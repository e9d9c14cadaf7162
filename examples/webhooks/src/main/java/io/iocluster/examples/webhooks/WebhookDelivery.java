package io.iocluster.examples.webhooks;

import io.iocluster.message.Answer;
import io.iocluster.message.Outcome;

/**
 * The result of the delivery of an event.
 *
 * @param delivered whether the subscriber answered with a 2xx status
 * @param reason the reason of the failure: {@code status-410}, or an error code from {@code docs/errors.md}; null if
 *     delivered
 * @param attempts number of attempts
 */
record WebhookDelivery(String event, String subscriber, boolean delivered, String reason, int attempts) {

    static WebhookDelivery of(String subscriber, Answer answer) {
        boolean answered = answer.outcome() == Outcome.ANSWERED;
        boolean delivered = answered && answer.status() / 100 == 2;
        String failure = answered ? "status-" + answer.status() : answer.errorCode();
        return new WebhookDelivery(answer.id(), subscriber, delivered, delivered ? null : failure, answer.attempts());
    }
}

package io.iocluster.node.tap;

import io.iocluster.http.HttpRequest;
import io.iocluster.message.Answer;
import io.iocluster.message.Answer.CallError;
import io.iocluster.message.Answer.Timing;
import io.iocluster.message.BoundedText;
import io.iocluster.message.Outcome;
import java.time.Instant;

/**
 * What an operator sees of a call: no header, no body, no query value that is not allowed, and no secret of the configuration. Every text has
 * a maximum length. Immutable.
 *
 * @param position the coordinates of its message
 * @param destination null if it was rejected before its URL was understood
 * @param method null if it was rejected
 * @param url null if it was rejected
 * @param code the code of the error; null if answered
 * @param message the message of the error; null if answered
 */
record TappedCall(
        Instant at,
        String id,
        String position,
        String destination,
        String method,
        String url,
        Outcome outcome,
        int status,
        String code,
        String message,
        int attempts,
        Timing timing) {

    private static final int MAX_METHOD_CHARS = 32;
    private static final int MAX_ID_CHARS = 200;
    private static final int MAX_URL_CHARS = 500;
    /** Longer text is cut before it is searched for secrets, because it is searched on an event loop. */
    private static final int MAX_SEARCHED_CHARS = 16_384;

    static TappedCall of(
            Instant at,
            String position,
            String destination,
            HttpRequest request,
            Answer answer,
            UrlRedaction urls,
            SecretRedaction secrets) {
        CallError error = answer.error();
        return new TappedCall(
                at,
                text(answer.id(), MAX_ID_CHARS, secrets),
                text(position, MAX_ID_CHARS, secrets),
                text(destination, MAX_URL_CHARS, secrets),
                request == null ? null : text(request.method(), MAX_METHOD_CHARS, secrets),
                request == null ? null : text(urls.redact(request.url()), MAX_URL_CHARS, secrets),
                answer.outcome(),
                answer.status(),
                error == null ? null : error.code(),
                error == null ? null : text(error.message(), BoundedText.MAX_CHARS, secrets),
                answer.attempts(),
                answer.timing());
    }

    private static String text(String text, int maxChars, SecretRedaction secrets) {
        return BoundedText.truncate(secrets.redact(BoundedText.truncate(text, MAX_SEARCHED_CHARS)), maxChars);
    }
}

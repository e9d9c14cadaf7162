package io.iocluster.client;

import io.iocluster.message.SentStatus;
import io.iocluster.transport.PublishResult;

/** The broker refused the request ({@link #sent} is {@code NO}) or may not have received it ({@code MAYBE}). */
public final class NotEnqueuedException extends IoClusterException {

    private static final long serialVersionUID = 1L;

    private NotEnqueuedException(String id, SentStatus sent, String problem, Throwable cause) {
        super(id, sent, "not enqueued: " + problem, cause);
    }

    static NotEnqueuedException of(String id, PublishResult result, Throwable bug) {
        if (result instanceof PublishResult.TooLarge tooLarge) {
            return new NotEnqueuedException(id, SentStatus.NO, tooLarge.problem(), null);
        }
        if (result instanceof PublishResult.UnknownTopicOrQueue unknown) {
            return new NotEnqueuedException(id, SentStatus.NO, unknown.problem(), null);
        }
        String problem = result instanceof PublishResult.Failed failed ? failed.problem() : String.valueOf(bug);
        return new NotEnqueuedException(id, SentStatus.MAYBE, problem, bug);
    }
}

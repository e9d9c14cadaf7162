package io.iocluster.pipeline.outbox;

import io.iocluster.message.Answer;
import io.iocluster.message.ErrorCode;
import io.iocluster.pipeline.call.Call;
import io.iocluster.trace.MessageTrace.PublishType;
import io.iocluster.trace.PublishTrace;
import io.iocluster.transport.DeadLetterReason;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.ResponseSink;
import java.util.concurrent.CompletionStage;

/**
 * An answer, or a dead letter, that the broker has not confirmed yet. Owned by the {@link AnswerOutbox} from its publishing to
 * the call of its {@link PublishListener}; one thread at a time writes to it.
 */
public final class PendingAnswer {

    /** Where an answer is published. An answer that cannot be published at one stage goes to the next. */
    enum PublishStage {
        REPLY_TO,
        CONFIGURED,
        DEAD_LETTER
    }

    final Call call;
    private final Answer answer;
    final PublishListener listener;
    private final byte[] encoded;
    private final long bytes;
    private final AnswerSize size;

    private PublishStage stage;
    private String replyTo;
    /** Why it is a dead letter; null until it is one. */
    private ErrorCode code;

    private String problem;
    private boolean truncatedBody;

    /** When publishing it to the current topic or queue started, on the outbox's clock. */
    long sinceNanos;

    /** Whether its reply-to was verified when it was published last. Confined to the holder of the published answer. */
    boolean publishedAsVerified;

    /** How often publishing it to the current topic or queue failed. */
    int failures;

    /** When it may be published again. */
    long notBeforeNanos;

    private PendingAnswer(Call call, Answer answer, byte[] encoded, PublishListener listener) {
        this.call = call;
        this.answer = answer;
        this.encoded = encoded;
        this.listener = listener;
        this.bytes = call.permit().heldBytes();
        this.size = AnswerSize.of(encoded == null ? call.delivery().payload().length : encoded.length);
    }

    /**
     * Returns an answer that has not been published.
     *
     * @param replyTo null for the configured topic or queue
     */
    public static PendingAnswer of(Call call, Answer answer, byte[] encoded, String replyTo, PublishListener listener) {
        PendingAnswer pending = new PendingAnswer(call, answer, encoded, listener);
        pending.stage = replyTo == null ? PublishStage.CONFIGURED : PublishStage.REPLY_TO;
        pending.replyTo = replyTo;
        return pending;
    }

    /** Returns a dead letter that holds the request. */
    public static PendingAnswer deadLetter(Call call, ErrorCode code, String problem, PublishListener listener) {
        PendingAnswer pending = new PendingAnswer(call, null, null, listener);
        pending.toDeadLetters(code, problem);
        return pending;
    }

    /** Returns another answer to the same call, for the same topic or queue. */
    public PendingAnswer withAnswer(Answer smaller, byte[] smallerEncoded) {
        PendingAnswer pending = new PendingAnswer(call, smaller, smallerEncoded, listener);
        pending.stage = stage;
        pending.replyTo = replyTo;
        pending.code = code;
        pending.problem = problem;
        return pending;
    }

    /** Returns this answer with a shorter body, for the same topic or queue. */
    public PendingAnswer withTruncatedBody(Answer shorter, byte[] shorterEncoded) {
        PendingAnswer pending = withAnswer(shorter, shorterEncoded);
        pending.truncatedBody = true;
        return pending;
    }

    /** Returns the call that it answers. */
    public Call call() {
        return call;
    }

    /** Returns the answer; null if the dead letter holds the request instead. */
    public Answer answer() {
        return answer;
    }

    /** Returns the bytes to publish; null if the dead letter holds the request. Callers never write to them. */
    public byte[] encoded() {
        return encoded;
    }

    /** Returns whether its body was truncated because the topic or queue did not accept it. */
    boolean hasTruncatedBody() {
        return truncatedBody;
    }

    PublishStage stage() {
        return stage;
    }

    /** Null if the stage is not {@link PublishStage#REPLY_TO}. */
    String replyTo() {
        return replyTo;
    }

    /** Returns where it is published, for the log. */
    String topicOrQueue() {
        return switch (stage) {
            case REPLY_TO -> replyTo;
            case CONFIGURED -> "configured";
            case DEAD_LETTER -> "dead-letters";
        };
    }

    /** Returns why it is a dead letter; null if it is none. */
    public ErrorCode deadLetterCode() {
        return code;
    }

    /** Returns the bytes that it holds of {@code workers.max-in-flight-bytes}: its request, the body, and the encoded answer. */
    long bytes() {
        return bytes;
    }

    /** Returns the size class of the bytes that the broker gets. */
    AnswerSize size() {
        return size;
    }

    /** Addresses it to the next stage after one that failed. */
    void divert(String why) {
        if (stage == PublishStage.REPLY_TO) {
            stage = PublishStage.CONFIGURED;
            replyTo = null;
        } else {
            toDeadLetters(ErrorCode.ANSWER_NOT_PUBLISHED, why);
        }
    }

    private void toDeadLetters(ErrorCode why, String message) {
        stage = PublishStage.DEAD_LETTER;
        replyTo = null;
        code = why;
        problem = message;
    }

    CompletionStage<PublishResult> publish(ResponseSink sink) {
        PublishTrace trace = call.trace()
                .startPublish(
                        stage == PublishStage.DEAD_LETTER ? PublishType.DEAD_LETTER : PublishType.ANSWER, replyTo);
        CompletionStage<PublishResult> published;
        if (stage != PublishStage.DEAD_LETTER) {
            published = sink.publish(call.delivery(), encoded, replyTo, trace.context());
        } else if (encoded == null) {
            published = sink.publishDeadLetter(call.delivery(), new DeadLetterReason(code.wireName(), problem));
        } else {
            published = sink.publishAnswerAsDeadLetter(
                    call.delivery(), encoded, new DeadLetterReason(code.wireName(), problem));
        }
        return trace == PublishTrace.NONE ? published : published.whenComplete((result, bug) -> trace.ended(result));
    }
}

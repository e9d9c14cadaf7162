package io.iocluster.pipeline.publish;

import io.iocluster.destination.CallPermit;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.log.LogThrottle;
import io.iocluster.message.Answer;
import io.iocluster.message.Answer.CallError;
import io.iocluster.message.Answer.Timing;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.message.AnswerEncoder;
import io.iocluster.message.BoundedText;
import io.iocluster.message.EncodedSize;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.message.ReplyMode;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.call.CallListener;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.pipeline.outbox.AnswerOutbox;
import io.iocluster.pipeline.outbox.PendingAnswer;
import io.iocluster.pipeline.outbox.PublishListener;
import io.iocluster.thread.NodeClock;
import io.iocluster.trace.MessageTrace.SettlementType;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult.TooLarge;
import io.iocluster.transport.ResponseSink;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Publishes the answer or dead letter of each message, and acknowledges the message after the broker has confirmed it
 * (docs/adr/0001-settle-after-confirm.md). The {@link AnswerOutbox} publishes again until then. Thread-safe: called once for each
 * call, by the thread that {@linkplain Call#tryEnd ended} it.
 */
public final class AnswerPublisher implements CallListener, PublishListener {

    private static final Logger LOG = LoggerFactory.getLogger(AnswerPublisher.class);
    static final byte[] NO_BODY = {};
    /** Answers up to this size in bytes are encoded even if the byte budget is full. */
    private static final int SMALL = 16 * 1024;

    private final AnswerEncoder encoder = new AnswerEncoder();
    private final EncodingQueue encodings;
    private final DefectBackoff backoff;
    private final ResponseSink sink;
    private final AnswerOutbox outbox;
    private final PipelineEvents events;
    private final NodeClock clock;
    private final String node;
    private final BooleanSupplier truncatesBodies;
    private final BooleanSupplier writesTiming;
    private final LogThrottle releaseLog;
    private final LogThrottle truncationLog;

    /**
     * @param truncatesBodies whether a body that is too large is truncated; asked for each such answer
     * @param writesTiming whether answers have the timing of the call; asked for each answer
     */
    public AnswerPublisher(
            EncodingQueue encodings,
            DefectBackoff backoff,
            ResponseSink sink,
            AnswerOutbox outbox,
            PipelineEvents events,
            NodeClock clock,
            String node,
            BooleanSupplier truncatesBodies,
            BooleanSupplier writesTiming) {
        this.encodings = encodings;
        this.backoff = backoff;
        this.sink = sink;
        this.outbox = outbox;
        this.events = events;
        this.clock = clock;
        this.node = node;
        this.truncatesBodies = truncatesBodies;
        this.writesTiming = writesTiming;
        this.releaseLog = new LogThrottle(LOG, clock::nanos);
        this.truncationLog = new LogThrottle(LOG, clock::nanos);
    }

    @Override
    public void answered(Call call, HttpResult.Response response) {
        finish(call, buildAnswer(call, response), null);
    }

    /** If the sender wants no reply, the failure goes to the dead letters. */
    @Override
    public void failed(Call call, ErrorCode code, String message, SentStatus sent, AttemptTiming timing) {
        finish(call, buildAnswer(call, code, message, sent, timing), code);
    }

    /** Returns the answer of a call that has an HTTP answer, and counts the call. */
    Answer buildAnswer(Call call, HttpResult.Response response) {
        long now = clock.nanos();
        events.callEnded(
                call.destinationName(),
                Outcome.ANSWERED,
                response.status(),
                null,
                now - call.deadline().receivedNanos(),
                call);
        boolean error = call.target().policy().isError(response.status());
        if (error) {
            events.callError(call.destinationName(), null);
        }
        call.app().recordEnd(Outcome.ANSWERED, error);
        return tapped(
                call,
                new Answer(
                                call.id(),
                                Outcome.ANSWERED,
                                response.status(),
                                response.headers(),
                                response.body(),
                                response.truncated(),
                                response.usability().reason(),
                                null,
                                call.progress().attempts(),
                                node,
                                timing(call, response.timing(), now),
                                call.context(),
                                Answer.NO_BRANCH,
                                List.of())
                        .withCache(call.progress().cacheUse()));
    }

    /** Returns the answer of a call that has no HTTP answer, and counts the call. */
    Answer buildAnswer(Call call, ErrorCode code, String message, SentStatus sent, AttemptTiming timing) {
        long now = clock.nanos();
        events.callEnded(
                call.destinationName(),
                code.outcome(),
                0,
                code,
                now - call.deadline().receivedNanos(),
                call);
        events.callError(call.destinationName(), code);
        call.app().recordEnd(code.outcome(), true);
        if (code == ErrorCode.APP_OVER_QUOTA) {
            call.app().recordOverQuota();
        }
        events.callFailed(
                call.id(),
                call.destinationName(),
                code,
                BoundedText.truncate(message),
                call.progress().attempts());
        return tapped(
                call,
                new Answer(
                        call.id(),
                        code.outcome(),
                        0,
                        List.of(),
                        NO_BODY,
                        false,
                        new CallError(code, message, sent),
                        call.progress().attempts(),
                        node,
                        timing(call, timing, now),
                        call.context()));
    }

    private Answer tapped(Call call, Answer answer) {
        if (events.isTapped()) {
            events.callTapped(call.originCoordinates(), call.destinationName(), call.request(), answer);
        }
        return answer;
    }

    /**
     * Publishes the answer or dead letter of an ended call, as its reply mode asks. Releases the message if another node has it now.
     *
     * @param failure the code of the answer's error; null if it has none
     */
    void finish(Call call, Answer answer, ErrorCode failure) {
        if (!call.delivery().claim()) {
            release(call); // The node that has the message now answers it.
            return;
        }
        call.trace().callEnded(answer.outcome(), failure);
        if (failure == null && call.replyMode() != ReplyMode.ALWAYS) {
            acknowledge(call);
        } else if (failure != null && call.replyMode() == ReplyMode.NEVER) {
            deadLetter(call, failure, answer.error().message());
        } else {
            publish(call, writesTiming.getAsBoolean() ? answer : answer.withoutTiming(), failure);
        }
    }

    @Override
    public void release(Call call) {
        try {
            call.delivery().settlement().release();
            events.released();
            call.trace().settled(SettlementType.RELEASED);
        } finally {
            call.permit().release();
        }
    }

    @Override
    public void releaseLater(Call call) {
        backoff.releaseLater(() -> release(call));
    }

    /** Releases a message that has no call, after a backoff. */
    public void releaseLater(Delivery delivery, CallPermit permit) {
        permit.tryEnd();
        backoff.releaseLater(() -> {
            try {
                delivery.settlement().release();
                events.released();
            } finally {
                permit.release();
            }
        });
    }

    /** Encodes an answer when enough bytes are free for its encoded form. A large one is kept in its encoded form only. */
    private void publish(Call call, Answer answer, ErrorCode failure) {
        String replyTo = failure == ErrorCode.REPLY_TO_UNKNOWN ? null : allowedReplyTo(call);
        if (EncodedSize.estimate(answer) <= SMALL) {
            byte[] encoded = encoder.encode(answer);
            call.permit().addBytes(encoded.length);
            outbox.publish(PendingAnswer.of(call, answer, encoded, replyTo, this));
            return;
        }
        int maxBytes = (int) Math.min(Integer.MAX_VALUE, EncodedSize.upperBound(answer));
        encodings.publish(call, maxBytes, () -> {
            byte[] encoded = encoder.encode(answer, maxBytes);
            call.permit().replaceAnswer(encoded.length);
            outbox.publish(PendingAnswer.of(call, withoutContent(answer), encoded, replyTo, this));
        });
    }

    /** Returns the answer without headers, body and results, so that these are not kept while the encoded answer waits. */
    private static Answer withoutContent(Answer answer) {
        return new Answer(
                answer.id(),
                answer.outcome(),
                answer.status(),
                List.of(),
                NO_BODY,
                answer.truncated(),
                answer.error(),
                answer.attempts(),
                answer.node(),
                answer.timing(),
                answer.context());
    }

    private void deadLetter(Call call, ErrorCode code, String message) {
        outbox.publish(PendingAnswer.deadLetter(call, code, message, this));
    }

    @Override
    public void confirmed(PendingAnswer pending) {
        if (pending.deadLetterCode() != null) {
            events.deadLettered(pending.deadLetterCode());
        }
        acknowledge(pending.call());
    }

    /** Truncates the body, if the settings allow it. An answer that is too large without its body is replaced by an error. */
    @Override
    public void tooLarge(PendingAnswer pending, TooLarge refusal) {
        if (pending.answer() == null) {
            release(pending.call(), "dead letter", refusal.problem(), null);
        } else if (isReplaced(pending.answer()) || !truncatesBodies.getAsBoolean()) {
            replace(pending, refusal.problem());
        } else {
            byte[] encoded = pending.encoded();
            encodings.publish(pending.call(), encoded.length, () -> truncate(pending, refusal));
        }
    }

    private void truncate(PendingAnswer pending, TooLarge refusal) {
        byte[] encoded = pending.encoded();
        Answer whole = decode(encoded);
        Answer shorter = whole == null ? null : BodyTruncation.truncate(whole, encoded.length, refusal.maxPayload());
        if (shorter == null) {
            replace(pending, refusal.problem());
            return;
        }
        truncationLog.log(
                Level.WARN,
                line -> pending.call().addTo(line),
                "Response body truncated because the answer does not fit its topic or queue bytes={} problem={}",
                encoded.length,
                refusal.problem());
        byte[] shorterEncoded = encoder.encode(shorter);
        pending.call().permit().replaceAnswer(shorterEncoded.length);
        outbox.publish(pending.withTruncatedBody(withoutContent(shorter), shorterEncoded));
    }

    /**
     * Returns null for an answer that the decoder refuses, because the target sent a header whose name is too long for it. A decoder keeps
     * the names of headers that it has read, and a target could fill the heap with them, so each is used once.
     */
    private static Answer decode(byte[] encoded) {
        try {
            return new AnswerDecoder().decode(encoded);
        } catch (IllegalArgumentException refused) {
            return null;
        }
    }

    private static boolean isReplaced(Answer answer) {
        return ErrorCode.ANSWER_TOO_LARGE.wireName().equals(answer.errorCode());
    }

    /** Publishes an error instead of the answer. If it is too large too, leaves out the sender's context, then publishes a dead letter. */
    private void replace(PendingAnswer pending, String problem) {
        Answer answer = pending.answer();
        ErrorCode code = ErrorCode.ANSWER_TOO_LARGE;
        boolean wasReplaced = isReplaced(answer);
        if (wasReplaced && answer.context() == null) {
            deadLetter(pending.call(), code, problem);
            return;
        }
        if (!wasReplaced) {
            events.callFailed(answer.id(), pending.call().destinationName(), code, problem, answer.attempts());
        }
        Answer smaller = new Answer(
                answer.id(),
                code.outcome(),
                0,
                List.of(),
                NO_BODY,
                false,
                new CallError(code, problem, SentStatus.MAYBE),
                answer.attempts(),
                node,
                answer.timing(),
                wasReplaced ? null : answer.context());
        outbox.publish(pending.withAnswer(smaller, encoder.encode(smaller)));
    }

    @Override
    public void abandoned(PendingAnswer pending, String problem, Throwable bug) {
        release(pending.call(), pending.deadLetterCode() == null ? "answer" : "dead letter", problem, bug);
    }

    private void acknowledge(Call call) {
        try {
            call.delivery().settlement().acknowledge();
            events.acknowledged(call.deadline().endToEndMillis(clock.nanos()), call);
            call.trace().settled(SettlementType.ACKNOWLEDGED);
        } finally {
            call.permit().release();
        }
    }

    /** Acknowledges the message, because the broker has confirmed the message of its delayed retry. */
    void acknowledgeDelayed(Call call) {
        try {
            call.delivery().settlement().acknowledge();
            events.acknowledged(-1, call);
            call.trace().settled(SettlementType.DELAYED);
        } finally {
            call.permit().release();
        }
    }

    /** Releases the message after a backoff, because the broker did not confirm its answer, dead letter or delayed retry. */
    void release(Call call, String what, String problem, Throwable bug) {
        releaseLog.log(
                Level.WARN,
                line -> call.addTo(line).setCause(bug),
                "Message released because its {} was not confirmed request={} problem={}",
                what,
                call.delivery().coordinates(),
                problem);
        releaseLater(call);
    }

    /** Returns null for a reply-to that is not allowed, so that the rejection goes to the configured topic or queue. */
    private String allowedReplyTo(Call call) {
        String replyTo = call.replyTo();
        return replyTo == null || sink.isReplyToAllowed(call.delivery(), replyTo) ? replyTo : null;
    }

    /** Returns the timing of a scatter-gather message as a whole. */
    Timing timing(Call whole) {
        return timing(whole, AttemptTiming.NONE, clock.nanos());
    }

    private static Timing timing(Call call, AttemptTiming last, long now) {
        return new Timing(
                Math.max(0, call.deadline().queueWaitMillis()),
                (now - call.deadline().receivedNanos()) / 1_000_000,
                last.dnsMs(),
                last.connectMs(),
                last.tlsMs(),
                last.firstByteMs());
    }
}

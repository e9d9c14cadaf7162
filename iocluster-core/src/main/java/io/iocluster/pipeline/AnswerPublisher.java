package io.iocluster.pipeline;

import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.Answer;
import io.iocluster.message.Answer.CallError;
import io.iocluster.message.Answer.Timing;
import io.iocluster.message.AnswerEncoder;
import io.iocluster.message.BoundedText;
import io.iocluster.message.EncodedSize;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.message.ReplyMode;
import io.iocluster.message.SentStatus;
import io.iocluster.trace.MessageTrace.SettlementType;
import io.iocluster.transport.ResponseSink;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of every message: its answer or its dead letter is published, and only when the broker has confirmed that is the
 * message acknowledged (docs/adr/0001-settle-after-confirm.md). The {@link AnswerOutbox} publishes it again until then.
 * Stateless; called from any thread, by whoever was the first to {@linkplain Call#tryEnd end} the call.
 */
final class AnswerPublisher implements CallListener, PublishListener {

    private static final Logger LOG = LoggerFactory.getLogger(AnswerPublisher.class);
    static final byte[] NO_BODY = {};
    /** Answers up to this size are encoded at once, and counted afterwards. */
    private static final int SMALL = 16 * 1024;

    private final AnswerEncoder encoder = new AnswerEncoder();
    private final EncodingQueue encodings;
    private final ResponseSink sink;
    private final AnswerOutbox publisher;
    private final PipelineEvents events;
    private final NodeClock clock;
    private final String node;
    private final LogThrottle givenBack;

    AnswerPublisher(
            EncodingQueue encodings,
            ResponseSink sink,
            AnswerOutbox publisher,
            PipelineEvents events,
            NodeClock clock,
            String node) {
        this.encodings = encodings;
        this.sink = sink;
        this.publisher = publisher;
        this.events = events;
        this.clock = clock;
        this.node = node;
        this.givenBack = new LogThrottle(clock.nanos());
    }

    @Override
    public void answered(Call call, HttpResult.Response response) {
        finish(call, buildAnswer(call, response), null);
    }

    /** A sender that wants no reply finds it in the dead letters. */
    @Override
    public void failed(Call call, ErrorCode code, String message, SentStatus sent, AttemptTiming timing) {
        finish(call, buildAnswer(call, code, message, sent, timing), code);
    }

    /** What the sender is told of a call to which an HTTP answer came. */
    Answer buildAnswer(Call call, HttpResult.Response response) {
        long now = clock.nanos();
        events.callEnded(
                call.destinationName(),
                Outcome.ANSWERED,
                response.status(),
                null,
                now - call.clock.receivedNanos(),
                call);
        return new Answer(
                call.id(),
                Outcome.ANSWERED,
                response.status(),
                response.headers(),
                response.body(),
                response.truncated(),
                null,
                call.attempts,
                node,
                timing(call, response.timing(), now),
                call.context());
    }

    /** What the sender is told of a call to which none came. */
    Answer buildAnswer(Call call, ErrorCode code, String message, SentStatus sent, AttemptTiming timing) {
        long now = clock.nanos();
        events.callEnded(call.destinationName(), code.outcome(), 0, code, now - call.clock.receivedNanos(), call);
        events.callFailed(call.id(), call.destinationName(), code, BoundedText.truncate(message), call.attempts);
        return new Answer(
                call.id(),
                code.outcome(),
                0,
                List.of(),
                NO_BODY,
                false,
                new CallError(code, message, sent),
                call.attempts,
                node,
                timing(call, timing, now),
                call.context());
    }

    /**
     * Ends a message by what its sender is told, as far as that is wanted.
     *
     * @param failure the code of the answer's error; null if it has none
     */
    void finish(Call call, Answer answer, ErrorCode failure) {
        if (!call.delivery.claim()) {
            release(call); // The node that has the message now answers it.
            return;
        }
        call.trace().callEnded(answer.outcome(), failure);
        if (failure == null && call.replyMode() != ReplyMode.ALWAYS) {
            acknowledge(call);
        } else if (failure != null && call.replyMode() == ReplyMode.NEVER) {
            deadLetter(call, failure, answer.error().message());
        } else {
            publish(call, answer, failure);
        }
    }

    @Override
    public void release(Call call) {
        try {
            call.delivery.settlement().release();
            events.released();
            call.trace().settled(SettlementType.RELEASED);
        } finally {
            call.permit.release();
        }
    }

    /** Encodes an answer when the window has room for the encoded bytes. */
    private void publish(Call call, Answer answer, ErrorCode failure) {
        String replyTo = failure == ErrorCode.REPLY_TO_UNKNOWN ? null : allowedReplyTo(call);
        if (EncodedSize.estimate(answer) <= SMALL) {
            byte[] encoded = encoder.encode(answer);
            call.permit.addBytes(encoded.length);
            publisher.publish(PendingAnswer.of(call, answer, encoded, replyTo, this));
            return;
        }
        int most = (int) Math.min(Integer.MAX_VALUE, EncodedSize.upperBound(answer));
        encodings.publish(call, most, () -> {
            byte[] encoded = encoder.encode(answer, most);
            call.permit.addBytes(encoded.length - most);
            publisher.publish(PendingAnswer.of(call, answer, encoded, replyTo, this));
        });
    }

    private void deadLetter(Call call, ErrorCode code, String message) {
        publisher.publish(PendingAnswer.deadLetter(call, code, message, this));
    }

    @Override
    public void confirmed(PendingAnswer pending) {
        if (pending.deadLetterCode() != null) {
            events.deadLettered(pending.deadLetterCode());
        }
        acknowledge(pending.call);
    }

    @Override
    public void tooLarge(PendingAnswer pending, String problem) {
        Answer answer = pending.answer;
        if (answer == null) {
            release(pending.call, "dead letter", problem, null);
            return;
        }
        ErrorCode code = ErrorCode.ANSWER_TOO_LARGE;
        boolean wasCut = answer.error() != null && answer.error().code().equals(code.wireName());
        if (wasCut && answer.context() == null) {
            deadLetter(pending.call, code, problem);
            return;
        }
        if (!wasCut) {
            events.callFailed(answer.id(), pending.call.destinationName(), code, problem, answer.attempts());
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
                wasCut ? null : answer.context());
        publisher.publish(pending.withAnswer(smaller, encoder.encode(smaller)));
    }

    @Override
    public void abandoned(PendingAnswer pending, String problem, Throwable bug) {
        release(pending.call, pending.deadLetterCode() == null ? "answer" : "dead letter", problem, bug);
    }

    private void acknowledge(Call call) {
        try {
            call.delivery.settlement().acknowledge();
            events.acknowledged(call.clock.endToEndMillis(clock.nanos()), call);
            call.trace().settled(SettlementType.ACKNOWLEDGED);
        } finally {
            call.permit.release();
        }
    }

    /** Ends the message here, for the broker has confirmed that it holds the call's next one. */
    void acknowledgeDelayed(Call call) {
        try {
            call.delivery.settlement().acknowledge();
            events.acknowledged(-1, call);
            call.trace().settled(SettlementType.DELAYED);
        } finally {
            call.permit.release();
        }
    }

    /** Gives the message back, because what was published for it was not confirmed. */
    void release(Call call, String what, String problem, Throwable bug) {
        long untold = givenBack.pollSuppressed(clock.nanos());
        if (untold != LogThrottle.NOT_DUE) {
            LOG.warn(
                    "gave back {}: its {} was not confirmed: {}; {} more given back since the last line",
                    call.delivery.coordinates(),
                    what,
                    problem,
                    untold,
                    bug);
        }
        release(call);
    }

    /** A place that is not allowed is the reason for a rejection, which then goes to the configured place. */
    private String allowedReplyTo(Call call) {
        String replyTo = call.replyTo();
        return replyTo == null || sink.isReplyToAllowed(call.delivery, replyTo) ? replyTo : null;
    }

    /** Where the time of several calls together went. */
    Timing timing(Call whole) {
        return timing(whole, AttemptTiming.NONE, clock.nanos());
    }

    private static Timing timing(Call call, AttemptTiming last, long now) {
        return new Timing(
                Math.max(0, call.clock.queueWaitMillis()),
                (now - call.clock.receivedNanos()) / 1_000_000,
                last.dnsMs(),
                last.connectMs(),
                last.tlsMs(),
                last.firstByteMs());
    }
}

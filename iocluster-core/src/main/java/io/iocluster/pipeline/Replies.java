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
import io.iocluster.message.Sent;
import io.iocluster.trace.MessageTrace.Settled;
import io.iocluster.transport.ResponseSink;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of every message: its answer or its dead letter is published, and only when the broker has confirmed that is the
 * message acknowledged (docs/adr/0001-settle-after-confirm.md). The {@link AnswerPublisher} publishes it again until then.
 * Stateless; called from any thread, by whoever was the first to {@linkplain Call#end end} the call.
 */
final class Replies implements Ending, PublishListener {

    private static final Logger LOG = LoggerFactory.getLogger(Replies.class);
    static final byte[] NO_BODY = {};
    /** Answers up to this size are encoded at once, and counted afterwards. */
    private static final int SMALL = 16 * 1024;

    private final AnswerEncoder encoder = new AnswerEncoder();
    private final EncodingQueue encodings;
    private final ResponseSink sink;
    private final AnswerPublisher publisher;
    private final PipelineEvents events;
    private final NodeClock clock;
    private final String node;
    private final LogThrottle givenBack;

    Replies(
            EncodingQueue encodings,
            ResponseSink sink,
            AnswerPublisher publisher,
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
        deliver(call, answer(call, response), null);
    }

    /** A sender that wants no reply finds it in the dead letters. */
    @Override
    public void failed(Call call, ErrorCode code, String message, Sent sent, AttemptTiming timing) {
        deliver(call, answer(call, code, message, sent, timing), code);
    }

    /** What the sender is told of a call to which an HTTP answer came. */
    Answer answer(Call call, HttpResult.Response response) {
        long now = clock.nanos();
        events.called(
                call.destination(), Outcome.ANSWERED, response.status(), null, now - call.clock.takenNanos(), call);
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
    Answer answer(Call call, ErrorCode code, String message, Sent sent, AttemptTiming timing) {
        long now = clock.nanos();
        events.called(call.destination(), code.outcome(), 0, code, now - call.clock.takenNanos(), call);
        events.failed(call.id(), call.destination(), code, BoundedText.of(message), call.attempts);
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
    void deliver(Call call, Answer answer, ErrorCode failure) {
        if (!call.delivery.begin()) {
            release(call); // The node that has the message now answers it.
            return;
        }
        call.trace().concluded(answer.outcome(), failure);
        if (failure == null && call.reply() != ReplyMode.ALWAYS) {
            acknowledge(call);
        } else if (failure != null && call.reply() == ReplyMode.NEVER) {
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
            call.trace().settled(Settled.RELEASED);
        } finally {
            call.permit.giveBack();
        }
    }

    /** Encodes an answer when the window has room for the encoded bytes. */
    private void publish(Call call, Answer answer, ErrorCode failure) {
        String replyTo = failure == ErrorCode.REPLY_TO_UNKNOWN ? null : allowedReplyTo(call);
        if (EncodedSize.roughly(answer) <= SMALL) {
            byte[] encoded = encoder.encode(answer);
            call.permit.count(encoded.length);
            publisher.publish(PendingAnswer.of(call, answer, encoded, replyTo, this));
            return;
        }
        int most = (int) Math.min(Integer.MAX_VALUE, EncodedSize.atMost(answer));
        encodings.publish(call, most, () -> {
            byte[] encoded = encoder.encode(answer, most);
            call.permit.count(encoded.length - most);
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
            events.failed(answer.id(), pending.call.destination(), code, problem, answer.attempts());
        }
        Answer smaller = new Answer(
                answer.id(),
                code.outcome(),
                0,
                List.of(),
                NO_BODY,
                false,
                new CallError(code, problem, Sent.MAYBE),
                answer.attempts(),
                node,
                answer.timing(),
                wasCut ? null : answer.context());
        publisher.publish(pending.replacedBy(smaller, encoder.encode(smaller)));
    }

    @Override
    public void abandoned(PendingAnswer pending, String problem, Throwable bug) {
        release(pending.call, pending.deadLetterCode() == null ? "answer" : "dead letter", problem, bug);
    }

    private void acknowledge(Call call) {
        try {
            call.delivery.settlement().acknowledge();
            events.acknowledged(call.clock.endToEndMillis(clock.nanos()), call);
            call.trace().settled(Settled.ACKNOWLEDGED);
        } finally {
            call.permit.giveBack();
        }
    }

    /** Ends the message here, for the broker has confirmed that it holds the call's next one. */
    void acknowledgePutOff(Call call) {
        try {
            call.delivery.settlement().acknowledge();
            events.acknowledged(-1, call);
            call.trace().settled(Settled.PUT_OFF);
        } finally {
            call.permit.giveBack();
        }
    }

    /** Gives the message back, because what was published for it was not confirmed. */
    void release(Call call, String what, String problem, Throwable bug) {
        long untold = givenBack.untold(clock.nanos());
        if (untold != LogThrottle.NOT_NOW) {
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
        return replyTo == null || sink.allowsReplyTo(call.delivery, replyTo) ? replyTo : null;
    }

    /** Where the time of several calls together went. */
    Timing timing(Call whole) {
        return timing(whole, AttemptTiming.NONE, clock.nanos());
    }

    private static Timing timing(Call call, AttemptTiming last, long now) {
        return new Timing(
                Math.max(0, call.clock.queuedMillis()),
                (now - call.clock.takenNanos()) / 1_000_000,
                last.dnsMs(),
                last.connectMs(),
                last.tlsMs(),
                last.firstByteMs());
    }
}

package io.iocluster.client.fake;

import io.iocluster.message.Answer;
import io.iocluster.message.Answer.CallError;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.Outcome;
import io.iocluster.message.SentStatus;
import io.iocluster.transport.PublishResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How a {@link FakeCluster} answers a call. Immutable.
 *
 * @param status the HTTP status; 0 unless answered
 * @param code null if answered
 * @param sent whether the target may have processed a call that is not answered
 * @param copies how often the answer arrives; 0 for a call that ends at its deadline
 * @param published the broker's result for the request
 */
public record FakeAnswer(
        int status,
        List<Header> headers,
        byte[] body,
        ErrorCode code,
        SentStatus sent,
        int copies,
        PublishResult published) {

    private static final byte[] EMPTY = {};

    public FakeAnswer {
        headers = List.copyOf(headers);
    }

    /** Returns a response of the target without headers and body. */
    public static FakeAnswer status(int status) {
        return new FakeAnswer(status, List.of(), EMPTY, null, SentStatus.MAYBE, 1, PublishResult.CONFIRMED);
    }

    /** Returns the failure, rejection or expiry of a call that the target has certainly not processed. */
    public static FakeAnswer error(ErrorCode code) {
        return error(code, SentStatus.NO);
    }

    /**
     * Returns the failure, rejection or expiry of a call.
     *
     * @param sent whether the target may have processed it
     */
    public static FakeAnswer error(ErrorCode code, SentStatus sent) {
        return new FakeAnswer(0, List.of(), EMPTY, code, sent, 1, PublishResult.CONFIRMED);
    }

    /** Returns no answer: the call ends at its deadline. */
    public static FakeAnswer none() {
        return status(0).copies(0);
    }

    /** Returns a refusal by the broker, such as {@link PublishResult.TooLarge}. */
    public static FakeAnswer notEnqueued(PublishResult result) {
        return new FakeAnswer(0, List.of(), EMPTY, null, SentStatus.NO, 0, result);
    }

    /** Returns a copy with a further header. */
    public FakeAnswer header(String name, String value) {
        List<Header> more = new ArrayList<>(headers);
        more.add(new Header(name.toLowerCase(Locale.ROOT), value));
        return new FakeAnswer(status, more, body, code, sent, copies, published);
    }

    /** Returns a copy with this body. */
    public FakeAnswer body(String text) {
        return body(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a copy with this body. */
    public FakeAnswer body(byte[] bytes) {
        return new FakeAnswer(status, headers, bytes, code, sent, copies, published);
    }

    /** Returns a copy that arrives this often: nodes may publish an answer twice. */
    public FakeAnswer copies(int number) {
        return new FakeAnswer(status, headers, body, code, sent, number, published);
    }

    boolean isSuccess() {
        return status >= 200 && status < 300;
    }

    /** Returns the answer to a call. */
    Answer toAnswer(String id, String context, int branch, List<Answer> results) {
        return new Answer(
                id,
                code == null ? Outcome.ANSWERED : code.outcome(),
                status,
                headers,
                body,
                false,
                null,
                code == null ? null : new CallError(code, "from the fake cluster", sent),
                1,
                "fake",
                Answer.Timing.NONE,
                context,
                branch,
                results);
    }
}

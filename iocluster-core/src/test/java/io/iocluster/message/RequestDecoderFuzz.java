package io.iocluster.message;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.iocluster.message.Answer.CallError;
import io.iocluster.message.Answer.Timing;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Decodes arbitrary bytes: each input is a valid envelope, an invalid one, or not an envelope. A valid one round-trips,
 * and every decoded envelope can be answered.
 */
class RequestDecoderFuzz {

    private final RequestDecoder decoder = new RequestDecoder(64 * 1024, 4);
    private final RequestEncoder requestEncoder = new RequestEncoder();
    private final AnswerEncoder answerEncoder = new AnswerEncoder();
    private final AnswerDecoder answerDecoder = new AnswerDecoder();

    static Stream<byte[]> seeds() {
        return Stream.of(
                        "{\"url\":\"http://h/\"}",
                        """
                        {"id": "7c9e6679", "method": "POST", "url": "https://partner.example/a?click=42",
                         "headers": {"Accept": "application/json", "X-Tag": ["a", "b"]}, "body": "tëxt 🚀",
                         "timeoutMs": 1000, "deadlineMs": 5000, "retry": {"maxAttempts": 3}, "idempotencyKey": "k",
                         "auth": "partner-a", "reply": "failures", "replyTo": "elsewhere",
                         "context": {"a": [1, 2.50, null, true],
                                     "b": "ü\\ud83d\\ude80"}}""",
                        "{\"url\":\"http://h/\",\"bodyBase64\":\"AP8=\",\"context\":\"t\\u00fc\"}",
                        "{\"url\":\"http://h/\",\"context\":1.50e300,\"reply\":\"never\"}",
                        "\ufeff{\"url\":\"http://h/\",\"context\":{\"a\":1}}",
                        "{\"url\":7,\"id\":\"i\",\"typo\":{\"x\":[1]},\"context\":\n[ ]}",
                        "{\"url\":\"http://h/\",\"id\":\"\\ud800\"}",
                        "{\"url\":\"http://h/\",\"context\":\"\\ud800\"}",
                        "{\"url\":\"http://h/\",\"context\":[\"\\ud800\",\n1]}",
                        "{\"url\":\"http://h/\",\"" + "x".repeat(63) + "🚀\":1}",
                        "{\"url\":\"http://h/\",\"\\udc00\":1}",
                        "{\"url\":\"http://h/\",\"timeoutMs\":-1,\"deadlineMs\":99999999999999999999}",
                        "{\"any\":[{\"url\":\"http://a/\"},{\"url\":\"http://b/\",\"body\":\"b\"}],\"deadlineMs\":9}",
                        "{\"all\":[{\"url\":7},[{}],null],\"url\":\"http://h/\",\"any\":{}}",
                        "{\"headers\":[],\"retry\":3,\"body\":{},\"bodyBase64\":\"Y\"}",
                        "{\"url\":\"http://h/\",\"usable\":{\"status\":[200,\"3xx\"],\"json\":{\"pointer\":\"/a~1\","
                                + "\"equals\":\"x\",\"exists\":true,\"in\":[1.0,\"x\",false],\"less\":1e9,\"greater\":-1}}}",
                        "[[[[[[[[")
                .map(text -> text.getBytes(StandardCharsets.UTF_8));
    }

    @MethodSource("seeds")
    @DictionaryEntries({
        "\"id\":",
        "\"method\":",
        "\"url\":",
        "\"headers\":",
        "\"body\":",
        "\"bodyBase64\":",
        "\"timeoutMs\":",
        "\"deadlineMs\":",
        "\"retry\":",
        "\"maxAttempts\":",
        "\"idempotencyKey\":",
        "\"auth\":",
        "\"usable\":{\"json\":{",
        "\"status\":[",
        "\"pointer\":\"/",
        "\"equals\":",
        "\"exists\":",
        "\"in\":[",
        "\"less\":",
        "\"greater\":",
        "\"reply\":",
        "\"replyTo\":",
        "\"context\":",
        "\"any\":[{",
        "\"all\":[{",
        "\"never\"",
        "null",
        "true",
        "\\ud800",
        "\\u0000",
        "{\"",
        "\"}",
        "[",
        "]"
    })
    @FuzzTest(maxDuration = "2s")
    void decodesAnyBytes(byte[] payload) {
        DecodedRequest decoded = decoder.decode(payload);
        if (decoded instanceof DecodedRequest.Valid valid) {
            check((valid.envelope().url() != null) == (valid.envelope().scatter() == null), "URL or branches");
            roundTrips(valid.envelope());
            checkAnswerable(valid.envelope(), ErrorCode.TIMEOUT, "too late");
        } else if (decoded instanceof DecodedRequest.Invalid invalid) {
            check(invalid.code().outcome() == Outcome.REJECTED, invalid.code());
            checkAnswerable(invalid.envelope(), invalid.code(), invalid.message());
        }
    }

    private void roundTrips(RequestEnvelope envelope) {
        DecodedRequest again = decoder.decode(requestEncoder.encode(envelope));
        check(again instanceof DecodedRequest.Valid, again);
        RequestEnvelope read = ((DecodedRequest.Valid) again).envelope();
        check(Objects.equals(envelope.id(), read.id()), "id");
        check(envelope.deadlineMs() == read.deadlineMs() && envelope.reply() == read.reply(), "deadline, reply");
        check(Objects.equals(envelope.replyTo(), read.replyTo()), "replyTo");
        check(Objects.equals(envelope.context(), read.context()), "context");
        if (envelope.scatter() == null) {
            checkSameCall(envelope, read);
            return;
        }
        List<RequestEnvelope> branches = envelope.scatter().branches();
        check(envelope.scatter().mode() == read.scatter().mode(), "mode");
        check(branches.size() == read.scatter().branches().size(), "branches");
        for (int i = 0; i < branches.size(); i++) {
            checkSameCall(branches.get(i), read.scatter().branches().get(i));
        }
    }

    private static void checkSameCall(RequestEnvelope envelope, RequestEnvelope read) {
        check(envelope.method().equals(read.method()), "method");
        check(envelope.url().equals(read.url()), "url");
        check(envelope.headers().size() == read.headers().size(), "headers");
        check(read.headers().containsAll(envelope.headers()), "headers");
        check(Arrays.equals(envelope.body(), read.body()), "body");
        check(envelope.timeoutMs() == read.timeoutMs() && envelope.maxAttempts() == read.maxAttempts(), "numbers");
        check(Objects.equals(envelope.idempotencyKey(), read.idempotencyKey()), "key");
        check(Objects.equals(envelope.auth(), read.auth()), "auth");
        check(Objects.equals(envelope.usable(), read.usable()), "usable");
    }

    private void checkAnswerable(RequestEnvelope envelope, ErrorCode code, String message) {
        String context = envelope.context();
        check(context == null || (context.indexOf('\n') < 0 && context.indexOf('\r') < 0), "more than one line");
        Answer answer = new Answer(
                envelope.id(),
                code.outcome(),
                0,
                List.of(),
                new byte[0],
                false,
                new CallError(code, message, SentStatus.NO),
                0,
                "node",
                Timing.NONE,
                context);
        Answer read = answerDecoder.decode(answerEncoder.encode(answer));
        check(Objects.equals(envelope.id(), read.id()), "the answer's id");
        check(message.equals(read.error().message()), message);
        check((context == null) == (read.context() == null), context);
        check(context == null || JsonTokens.of(context).equals(JsonTokens.of(read.context())), context);
    }

    private static void check(boolean holds, Object what) {
        if (!holds) {
            throw new AssertionError(String.valueOf(what));
        }
    }
}

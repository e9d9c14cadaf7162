package io.iocluster.message;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Decodes arbitrary bytes: each input is an answer or is refused with {@link IllegalArgumentException}. */
class AnswerDecoderFuzz {

    private final AnswerDecoder decoder = new AnswerDecoder();
    private final AnswerEncoder encoder = new AnswerEncoder();

    static Stream<byte[]> seeds() {
        return Stream.of(
                        """
                        {"id":"i","outcome":"answered","status":200,
                         "headers":{"content-type":"application/json","set-cookie":["a=1","b=2"]},
                         "body":"{\\"ok\\":1} ü🚀","truncated":false,"attempts":2,"node":"node-1",
                         "timing":{"queuedMs":3,"totalMs":104,"dnsMs":1,"connectMs":2,"tlsMs":4,"firstByteMs":101},
                         "context":{"anything":[1]}}""",
                        """
                        {"outcome":"failed","error":{"code":"timeout","message":"late","sent":"no","new":[1]},
                         "attempts":1,"node":null,"new":{"a":[1]},"context":null}""",
                        "{\"outcome\":\"answered\",\"bodyBase64\":\"AP8=\",\"truncated\":true}",
                        "{\"outcome\":\"expired\",\"error\":null}",
                        "{\"outcome\":\"expired\",\"headers\":{\"a\":null,\"b\":[[1]],\"c\":{}}}",
                        "{\"outcome\":\"rejected\",\"id\":\"\\ud800\",\"timing\":[]}",
                        "{\"outcome\":\"answered\",\"branch\":1,\"status\":200}",
                        "{\"outcome\":\"failed\",\"error\":{\"code\":\"c\",\"message\":\"m\"},\"results\":"
                                + "[{\"outcome\":\"answered\",\"status\":200,\"body\":\"b\"},{\"outcome\":\"expired\"}]}",
                        "{\"outcome\":\"won\"}",
                        "{\"outcome\":")
                .map(text -> text.getBytes(StandardCharsets.UTF_8));
    }

    @MethodSource("seeds")
    @DictionaryEntries({
        "\"id\":",
        "\"outcome\":",
        "\"answered\"",
        "\"failed\"",
        "\"rejected\"",
        "\"expired\"",
        "\"status\":",
        "\"headers\":",
        "\"body\":",
        "\"bodyBase64\":",
        "\"truncated\":",
        "\"error\":",
        "\"code\":",
        "\"message\":",
        "\"sent\":",
        "\"attempts\":",
        "\"node\":",
        "\"timing\":",
        "\"queuedMs\":",
        "\"context\":",
        "\"branch\":",
        "\"results\":[{",
        "null",
        "true",
        "\\ud800",
        "{\"",
        "["
    })
    @FuzzTest(maxDuration = "2s")
    void decodesOrRefusesAnyBytes(byte[] payload) {
        Answer answer;
        try {
            answer = decoder.decode(payload);
        } catch (IllegalArgumentException refused) {
            return;
        }
        check(answer.outcome() != null && answer.headers() != null && answer.body() != null, answer);
        check(answer.timing() != null && answer.toString().startsWith("Answer["), answer);
        if (isWritable(answer)) {
            roundTrips(answer);
        }
    }

    /** Returns whether a node could write the answer: it has either a status or an error, and all text is encodable. */
    private static boolean isWritable(Answer answer) {
        boolean isConsistent = (answer.outcome() == Outcome.ANSWERED) == (answer.error() == null);
        return isConsistent
                && answer.results().stream().allMatch(AnswerDecoderFuzz::isWritable)
                && isText(answer.id())
                && isText(answer.node())
                && (answer.error() == null
                        || (isText(answer.error().code())
                                && isText(answer.error().message())))
                && answer.headers().stream().allMatch(header -> isText(header.name()) && isText(header.value()));
    }

    private static boolean isText(String text) {
        return text == null || StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    private void roundTrips(Answer answer) {
        byte[] written = encoder.encode(answer);
        check(Objects.equals(answer.id(), decoder.readId(written)), answer);
        Answer read = decoder.decode(written);
        check(Objects.equals(answer.id(), read.id()) && answer.outcome() == read.outcome(), answer);
        check(Objects.equals(answer.error(), read.error()) && answer.attempts() == read.attempts(), answer);
        check(Objects.equals(answer.node(), read.node()) && answer.timing().equals(read.timing()), answer);
        check(Objects.equals(answer.context(), read.context()), answer);
        check(answer.results().size() == read.results().size() && answer.branch() == read.branch(), answer);
        if (answer.outcome() == Outcome.ANSWERED && answer.results().isEmpty()) {
            check(answer.status() == read.status() && answer.truncated() == read.truncated(), answer);
            check(Arrays.equals(answer.body(), read.body()), answer);
            check(answer.headers().size() == read.headers().size(), answer);
            check(read.headers().containsAll(answer.headers()), answer);
        }
    }

    private static void check(boolean holds, Answer answer) {
        if (!holds) {
            throw new AssertionError(answer.toString());
        }
    }
}

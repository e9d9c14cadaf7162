package io.iocluster.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.message.Answer.CacheUse;
import io.iocluster.message.Answer.CallError;
import io.iocluster.message.Answer.Timing;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnswerEncoderTest {

    private final AnswerEncoder encoder = new AnswerEncoder();
    private final AnswerDecoder decoder = new AnswerDecoder();

    @Test
    void writesTheFieldsOfTheContract() {
        assertThat(text(answered("{\"ok\":1}".getBytes(StandardCharsets.UTF_8))))
                .isEqualTo("{\"id\":\"i\",\"outcome\":\"answered\",\"status\":200,"
                        + "\"headers\":{\"content-type\":\"application/json\",\"set-cookie\":[\"a=1\",\"b=2\"]},"
                        + "\"body\":\"{\\\"ok\\\":1}\",\"truncated\":false,\"attempts\":2,\"node\":\"node-1\","
                        + "\"timing\":{\"queuedMs\":3,\"totalMs\":104,\"dnsMs\":1,\"connectMs\":2,\"tlsMs\":4,"
                        + "\"firstByteMs\":101},\"context\":{\"anything\":[1]}}");
    }

    @Test
    void writesAFailureWithItsCodeAndNoStatus() {
        Answer failed = new Answer(
                "i",
                Outcome.FAILED,
                0,
                List.of(),
                new byte[0],
                false,
                new CallError(ErrorCode.CONNECT_TIMEOUT, "no connection", SentStatus.NO),
                1,
                "node-1",
                Timing.NONE,
                null);

        assertThat(text(failed))
                .startsWith("{\"id\":\"i\",\"outcome\":\"failed\",\"error\":{\"code\":\"connect-timeout\","
                        + "\"message\":\"no connection\",\"sent\":\"no\"},\"attempts\":1");
        assertThat(decoder.decode(encoder.encode(failed)))
                .usingRecursiveComparison()
                .isEqualTo(failed);
    }

    @Test
    void leavesOutDurationsOfZero() {
        Answer answer = new Answer(
                "i",
                Outcome.ANSWERED,
                200,
                List.of(),
                new byte[0],
                false,
                null,
                1,
                "node-1",
                new Timing(3, 104, 0, 0, 0, 101),
                null);

        assertThat(text(answer)).endsWith("\"timing\":{\"queuedMs\":3,\"totalMs\":104,\"firstByteMs\":101}}");
        assertThat(text(answer.withoutTiming())).endsWith("\"node\":\"node-1\"}");
        for (Answer each : List.of(answer, answer.withoutTiming())) {
            assertThat(decoder.decode(encoder.encode(each)).timing()).isEqualTo(each.timing());
        }
    }

    @Test
    void saysHowTheCacheWasUsed() {
        Answer hit = answered(new byte[] {'h'}).withCache(new CacheUse(true, 12_345, false));
        Answer stale = hit.withCache(new CacheUse(true, Long.MAX_VALUE, true));

        assertThat(text(hit)).contains("\"truncated\":false,\"cache\":{\"hit\":true,\"ageMs\":12345},\"attempts\":2");
        assertThat(text(stale)).contains("\"ageMs\":9223372036854775807,\"stale\":true}");
        for (Answer each : List.of(hit, stale, hit.withCache(CacheUse.MISS))) {
            assertThat(decoder.decode(encoder.encode(each)))
                    .usingRecursiveComparison()
                    .isEqualTo(each);
        }
        assertThat(hit.withCache(null).cache()).isNull();
    }

    @Test
    void writesABodyThatIsNotUtf8AsBase64() {
        assertThat(text(answered(new byte[] {0, (byte) 0xff}))).contains("\"bodyBase64\":\"AP8=\"");
        assertThat(text(answered("\uFFFD".getBytes(StandardCharsets.UTF_8)))).contains("\"body\":\"\uFFFD\"");
    }

    @Test
    void decodesWhatIsEncoded() {
        for (byte[] body : List.of(new byte[0], "tëxt\u0001 🚀".getBytes(StandardCharsets.UTF_8), new byte[] {-1})) {
            Answer answer = answered(body);
            assertThat(decoder.decode(encoder.encode(answer)))
                    .usingRecursiveComparison()
                    .isEqualTo(answer);
        }
    }

    @Test
    void writesTheBranchOfTheFirstUsableAnswer() {
        Answer won = several(Outcome.ANSWERED, null, 1, List.of());

        assertThat(text(won)).startsWith("{\"id\":\"i\",\"outcome\":\"answered\",\"branch\":1,\"status\":200,");
        assertThat(decoder.decode(encoder.encode(won)))
                .usingRecursiveComparison()
                .isEqualTo(won);
    }

    @Test
    void writesAResultForEachOfSeveralCalls() {
        Timing timing = new Timing(0, 7, 0, 0, 0, 0);
        Answer part = new Answer(
                null, Outcome.ANSWERED, 404, List.of(), new byte[] {'n'}, false, null, 1, null, timing, null);
        Answer late = new Answer(
                null,
                Outcome.EXPIRED,
                0,
                List.of(),
                new byte[0],
                false,
                new CallError(ErrorCode.DEADLINE_EXCEEDED, "late", SentStatus.MAYBE),
                2,
                null,
                Timing.NONE,
                null);
        Answer all = several(
                Outcome.FAILED,
                new CallError(ErrorCode.TIMEOUT, "some", SentStatus.MAYBE),
                Answer.NO_BRANCH,
                List.of(part, late));

        assertThat(text(all))
                .startsWith("{\"id\":\"i\",\"outcome\":\"failed\",\"error\":{\"code\":\"timeout\",\"message\":\"some\","
                        + "\"sent\":\"maybe\"},\"results\":[{\"outcome\":\"answered\",\"status\":404,\"headers\":{},"
                        + "\"body\":\"n\",\"truncated\":false,\"attempts\":1,\"timing\":{\"totalMs\":7}}");
        assertThat(decoder.decode(encoder.encode(all)))
                .usingRecursiveComparison()
                .isEqualTo(all);
    }

    private static Answer several(Outcome outcome, CallError error, int branch, List<Answer> results) {
        int status = outcome == Outcome.ANSWERED ? 200 : 0;
        return new Answer(
                "i",
                outcome,
                status,
                List.of(),
                new byte[0],
                false,
                null,
                error,
                3,
                "node-1",
                Timing.NONE,
                null,
                branch,
                results);
    }

    @Test
    void skipsUnknownFields() {
        Answer read = decoder.decode(
                "{\"outcome\":\"expired\",\"new\":{\"a\":[1]},\"id\":\"i\"}".getBytes(StandardCharsets.UTF_8));

        assertThat(read.id()).isEqualTo("i");
        assertThat(read.outcome()).isEqualTo(Outcome.EXPIRED);
    }

    @Test
    void readsTheIdWithoutDecodingTheAnswer() {
        assertThat(decoder.readId(encoder.encode(answered(new byte[0])))).isEqualTo("i");
        assertThat(decoder.readId("{\"a\":{\"id\":\"x\"},\"id\":\"i\",".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("i");
        for (String text :
                List.of("", "[]", "nonsense", "{}", "{\"id\":1}", "{\"id\":null}", "{\"a\":\"id\"}", "{\"id\"")) {
            assertThat(decoder.readId(text.getBytes(StandardCharsets.UTF_8)))
                    .as(text)
                    .isNull();
        }
        assertThat(decoder.readId(new byte[] {'{', '"', (byte) 0xff})).isNull();
    }

    @Test
    void answerHasAccessorsForTextHeaderAndErrorCode() {
        Answer answer = answered("tëxt".getBytes(StandardCharsets.UTF_8));

        assertThat(answer.text()).isEqualTo("tëxt");
        assertThat(answer.header("Content-Type")).isEqualTo("application/json");
        assertThat(answer.header("absent")).isNull();
        assertThat(answer.errorCode()).isNull();
    }

    @Test
    void refusesInputThatIsNotAnAnswer() {
        for (String text : List.of(
                "",
                "[]",
                "{}",
                "{\"outcome\":\"won\"}",
                "{\"outcome\":\"ANSWERED\"}",
                "{\"outcome\":null}",
                "{\"outcome\":",
                "{\"outcome\":\"expired\"}{}",
                "{\"outcome\":\"expired\",\"id\":{}}",
                "{\"outcome\":\"expired\",\"status\":\"200\"}",
                "{\"outcome\":\"expired\",\"status\":1e9}",
                "{\"outcome\":\"expired\",\"headers\":null,\"a\":\"b\"}",
                "{\"outcome\":\"expired\",\"headers\":{\"a\":[[\"b\"]]}}",
                "{\"outcome\":\"expired\",\"error\":null,\"code\":\"timeout\"}",
                "{\"outcome\":\"expired\",\"timing\":[]}",
                "{\"outcome\":\"expired\",\"cache\":1}",
                "{\"outcome\":\"expired\",\"cache\":{\"hit\":1}}",
                "{\"outcome\":\"expired\",\"results\":{}}",
                "{\"outcome\":\"expired\",\"results\":[1]}",
                "{\"outcome\":\"expired\",\"results\":[{}]}",
                "{\"outcome\":\"expired\",\"bodyBase64\":\"%\"}")) {
            assertThatThrownBy(() -> decoder.decode(text.getBytes(StandardCharsets.UTF_8)))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private String text(Answer answer) {
        return new String(encoder.encode(answer), StandardCharsets.UTF_8);
    }

    private static Answer answered(byte[] body) {
        return new Answer(
                "i",
                Outcome.ANSWERED,
                200,
                List.of(
                        new Header("content-type", "application/json"),
                        new Header("set-cookie", "a=1"),
                        new Header("set-cookie", "b=2")),
                body,
                false,
                null,
                2,
                "node-1",
                new Timing(3, 104, 1, 2, 4, 101),
                "{\"anything\":[1]}");
    }
}

package io.iocluster.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.message.Answer.CacheUse;
import io.iocluster.message.Answer.CallError;
import io.iocluster.message.Answer.Timing;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EncodedSizeTest {

    private final AnswerEncoder encoder = new AnswerEncoder();

    @Test
    void isAnUpperBoundOfTheEncodedSize() {
        Random random = new Random(1);
        byte[] noise = new byte[5_000];
        random.nextBytes(noise);
        for (byte[] body : List.of(
                new byte[5_000],
                noise,
                new byte[0],
                "\"\\\b\f\n\r\t\u007f".repeat(500).getBytes(StandardCharsets.UTF_8),
                "aé€😀".repeat(500).getBytes(StandardCharsets.UTF_8))) {
            assertUpperBound(answer(body, "{\"a\":\"é€😀\"}", null));
        }
        assertUpperBound(answer(new byte[0], null, new CallError(ErrorCode.INTERNAL, "\u0001é€😀", SentStatus.MAYBE)));
        assertUpperBound(answer(new byte[0], null, null).withCache(new CacheUse(true, Long.MAX_VALUE, true)));
        Answer one = answer(new byte[100], null, null);
        assertUpperBound(new Answer(
                "i",
                Outcome.ANSWERED,
                0,
                List.of(),
                new byte[0],
                false,
                null,
                null,
                2,
                "node-1",
                Timing.NONE,
                "1",
                -1,
                List.of(one, one)));
    }

    @Test
    void isTightForABodyOfControlCharacters() {
        Answer answer = answer(new byte[100_000], null, null);

        assertThat(EncodedSize.upperBound(answer)).isBetween(600_000L, 602_000L);
    }

    @Test
    void truncatesABinaryBodyThatStartsAsText() {
        for (String start : List.of("\u0000", "\"", "a", "\u20ac")) {
            byte[] body = (start.repeat(3_000) + "?").getBytes(StandardCharsets.UTF_8);
            body[body.length - 1] = (byte) 0xff;
            for (int max : List.of(-1, 0, 1, 100, 1_000)) {
                byte[] truncated = EncodedSize.truncateBody(body, max);

                assertThat(EncodedSize.ofBody(truncated)).isLessThanOrEqualTo(Math.max(0, max));
                assertThat(Arrays.copyOf(body, truncated.length)).isEqualTo(truncated);
            }
        }
    }

    private void assertUpperBound(Answer answer) {
        int length = encoder.encode(answer).length;
        assertThat(EncodedSize.upperBound(answer)).isGreaterThanOrEqualTo(length);
        assertThat(EncodedSize.estimate(answer)).isGreaterThanOrEqualTo(length);
    }

    private static Answer answer(byte[] body, String context, CallError error) {
        return new Answer(
                "\u0001id€",
                error == null ? Outcome.ANSWERED : Outcome.FAILED,
                error == null ? 200 : 0,
                List.of(new Header("x", "\u00e9".repeat(10)), new Header("x", "y"), new Header("z", "\u0001\"")),
                body,
                false,
                error,
                1,
                "node-1",
                new Timing(Long.MAX_VALUE, Long.MAX_VALUE, 1, 1, 1, 1),
                context);
    }
}

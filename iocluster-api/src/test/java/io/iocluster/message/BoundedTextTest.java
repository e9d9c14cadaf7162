package io.iocluster.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.transport.DeadLetterReason;
import org.junit.jupiter.api.Test;

class BoundedTextTest {

    private static final String LONG = "x".repeat(131_000);

    @Test
    void keepsShortText() {
        assertThat(BoundedText.truncate(null)).isNull();
        assertThat(BoundedText.truncate("x".repeat(BoundedText.MAX_CHARS))).hasSize(BoundedText.MAX_CHARS);
    }

    @Test
    void truncatesLongTextAndAppendsItsLength() {
        assertThat(BoundedText.truncate(LONG)).isEqualTo("x".repeat(BoundedText.MAX_CHARS) + "… (131000 characters)");
    }

    @Test
    void doesNotSplitASurrogatePair() {
        assertThat(BoundedText.truncate("abc🚀d", 4)).isEqualTo("abc… (6 characters)");
    }

    @Test
    void boundsEveryMessageThatMayQuoteInput() {
        String bounded = BoundedText.truncate(LONG);

        assertThat(new Answer.CallError(ErrorCode.INTERNAL, LONG, SentStatus.NO).message())
                .isEqualTo(bounded);
        assertThat(new DecodedRequest.Invalid(null, ErrorCode.INTERNAL, LONG).message())
                .isEqualTo(bounded);
        assertThat(new DeadLetterReason("internal", LONG).message()).isEqualTo(bounded);
        assertThat(new DeadLetterReason("internal", LONG).brief().message()).hasSizeLessThan(130);
    }
}

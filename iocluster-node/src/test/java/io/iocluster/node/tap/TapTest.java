package io.iocluster.node.tap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.message.Answer;
import io.iocluster.message.Answer.CallError;
import io.iocluster.message.Answer.Timing;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.message.SentStatus;
import io.iocluster.node.admin.AdminException;
import io.iocluster.settings.Rate;
import io.iocluster.thread.Platform;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TapTest {

    private static final Answer OK = answer("call-1", Outcome.ANSWERED, 204, null);
    private static final Answer TIMEOUT = answer("call-2", Outcome.FAILED, 0, ErrorCode.TIMEOUT);

    @ParameterizedTest
    @CsvSource({
        "'', '', '', '', true, true",
        "partner, '', '', '', true, true",
        "other, '', '', '', false, false",
        "'other,part*', '', '', '', true, true",
        "'', answered, '', '', true, false",
        "'', 'failed,expired', '', '', false, true",
        "'', '', 204, '', true, false",
        "'', '', 2xx, '', true, false",
        "'', '', timeout, '', false, true",
        "'', '', '5xx,timeout', '', false, true",
        "'', '', '', call-2, false, true",
        "'', '', '', 'call-*', true, true",
        "partner, answered, timeout, '', false, false",
    })
    void matchesEachPartOfItsFilter(
            String destinations, String outcomes, String codes, String ids, boolean answered, boolean timedOut) {
        TapFilter filter = TapFilter.parse(destinations, outcomes, codes, ids);

        assertThat(filter.matches("partner", OK)).isEqualTo(answered);
        assertThat(filter.matches("partner", TIMEOUT)).isEqualTo(timedOut);
    }

    @ParameterizedTest
    @CsvSource({"done, '', outcome must be one of", "'', 6xx, code must be a status", "'', slow, code must be a status"
    })
    void refusesAFilterThatNothingMatches(String outcomes, String codes, String message) {
        assertThatThrownBy(() -> TapFilter.parse("", outcomes, codes, ""))
                .isInstanceOf(AdminException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void keepsACallWithoutDestinationOnlyIfNoneIsNamed() {
        assertThat(TapFilter.parse("", "", "", "").matches(null, TIMEOUT)).isTrue();
        assertThat(TapFilter.parse("*", "", "", "").matches(null, TIMEOUT)).isFalse();
    }

    @Test
    void countsTheCallsThatTheRateLeavesOut() {
        Tap tap = tap("1/h", 10);

        for (int i = 0; i < 5; i++) {
            tap.offer("p", "partner", null, OK);
        }

        assertThat(tap.poll()).hasSize(1);
        assertThat(tap.counts()).isEqualTo(new Tap.TapCounts(5, 4, 0));
    }

    @Test
    void countsTheCallsThatItsReaderDoesNotTakeInTime() {
        Tap tap = tap("unlimited", 3);

        for (int i = 0; i < 5; i++) {
            tap.offer("p", "partner", null, OK);
        }
        tap.offer("p", "partner", null, OK);

        assertThat(tap.poll()).hasSize(3);
        assertThat(tap.counts()).isEqualTo(new Tap.TapCounts(6, 0, 3));
        tap.offer("p", "partner", null, OK);
        assertThat(tap.poll()).hasSize(1);
    }

    private static Tap tap(String rate, int buffer) {
        return new Tap(
                TapFilter.parse("", "", "", ""),
                Rate.parse(rate),
                buffer,
                new UrlRedaction(List.of()),
                () -> new SecretRedaction(List.of()),
                Platform.system());
    }

    private static Answer answer(String id, Outcome outcome, int status, ErrorCode error) {
        return new Answer(
                id,
                outcome,
                status,
                List.of(),
                new byte[0],
                false,
                error == null ? null : new CallError(error, "why", SentStatus.MAYBE),
                1,
                "n",
                new Timing(0, 1, -1, -1, -1, -1),
                null);
    }
}

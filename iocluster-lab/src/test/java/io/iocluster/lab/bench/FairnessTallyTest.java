package io.iocluster.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.bench.broker.PolledAnswer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FairnessTallyTest {

    private static final long GOOD = 0;
    private static final long DEAD = 1;
    private static final long NEXT_GOOD = 2;
    private static final PolledAnswer OK = answer("{\"outcome\":\"answered\",\"status\":200}");
    private static final PolledAnswer UNAVAILABLE = answer("{\"outcome\":\"answered\",\"status\":503}");
    private static final PolledAnswer UNREACHED =
            answer("{\"outcome\":\"failed\",\"error\":{\"code\":\"connect-timeout\"}}");

    private final FairnessTally tally = new FairnessTally();

    @Test
    void recordsOnlyTheLatenciesOfGoodCalls() {
        tally.add(GOOD, OK, TimeUnit.MILLISECONDS.toNanos(100));
        tally.add(DEAD, UNREACHED, TimeUnit.SECONDS.toNanos(9));

        assertThat(tally.goodLatency().maxMillis()).isBetween(99.9, 100.2);
        assertThat(tally.outcomes())
                .isEqualTo(Map.of("good", Map.of("200", 1L), "dead", Map.of("connect-timeout", 1L)));
    }

    @Test
    void countsEachCallOnce() {
        tally.add(GOOD, OK, 1_000);
        tally.add(GOOD, OK, 2_000);

        assertThat(tally.answered()).isEqualTo(1);
        assertThat(tally.outcomes()).isEqualTo(Map.of("good", Map.of("200", 1L)));
    }

    @Test
    void detectsAFailedGoodCall() {
        tally.add(GOOD, OK, 1_000);
        assertThat(tally.allGoodCallsSucceeded()).isTrue();

        tally.add(NEXT_GOOD, UNAVAILABLE, 1_000);
        assertThat(tally.allGoodCallsSucceeded()).isFalse();
    }

    private static PolledAnswer answer(String json) {
        return new PolledAnswer(0, json.getBytes(StandardCharsets.UTF_8));
    }
}

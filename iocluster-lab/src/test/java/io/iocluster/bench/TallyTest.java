package io.iocluster.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.bench.queue.SeenAnswer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TallyTest {

    private static final long GOOD = 0;
    private static final long DEAD = 1;
    private static final long NEXT_GOOD = 2;
    private static final SeenAnswer OK = answer("{\"outcome\":\"answered\",\"status\":200}");
    private static final SeenAnswer UNAVAILABLE = answer("{\"outcome\":\"answered\",\"status\":503}");
    private static final SeenAnswer UNREACHED =
            answer("{\"outcome\":\"failed\",\"error\":{\"code\":\"connect-timeout\"}}");

    private final Tally tally = new Tally();

    @Test
    void takesTheTimesOfGoodCallsAlone() {
        tally.add(GOOD, OK, TimeUnit.MILLISECONDS.toNanos(100));
        tally.add(DEAD, UNREACHED, TimeUnit.SECONDS.toNanos(9));

        assertThat(tally.goodMillis(100)).isBetween(99.9, 100.2);
        assertThat(tally.endings()).isEqualTo(Map.of("good", Map.of("200", 1L), "dead", Map.of("connect-timeout", 1L)));
    }

    @Test
    void countsEachCallOnce() {
        tally.add(GOOD, OK, 1_000);
        tally.add(GOOD, OK, 2_000);

        assertThat(tally.answered()).isEqualTo(1);
        assertThat(tally.endings()).isEqualTo(Map.of("good", Map.of("200", 1L)));
    }

    @Test
    void knowsThatAGoodCallWentWrong() {
        tally.add(GOOD, OK, 1_000);
        assertThat(tally.isGoodServed()).isTrue();

        tally.add(NEXT_GOOD, UNAVAILABLE, 1_000);
        assertThat(tally.isGoodServed()).isFalse();
    }

    private static SeenAnswer answer(String json) {
        return new SeenAnswer(0, json.getBytes(StandardCharsets.UTF_8));
    }
}

package io.iocluster.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.bench.broker.PolledAnswer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FairnessRunTest {

    private static final long GOOD = 0;
    private static final long DEAD = 1;
    private static final long NEXT_GOOD = 2;

    private final FairnessRun run = new FairnessRun();

    @Test
    void recordsOnlyTheLatenciesOfGoodCallsAndRequiresTheirSuccess() {
        assertThat(run.add(
                        GOOD, answer("{\"outcome\":\"answered\",\"status\":200}"), TimeUnit.MILLISECONDS.toNanos(100)))
                .isTrue();
        assertThat(run.add(
                        DEAD,
                        answer("{\"outcome\":\"failed\",\"error\":{\"code\":\"connect-timeout\"}}"),
                        TimeUnit.SECONDS.toNanos(9)))
                .isTrue();
        assertThat(run.goodLatency().maxMillis()).isBetween(99.9, 100.2);
        assertThat(run.outcomes()).isEqualTo(Map.of("good", Map.of("200", 1L), "dead", Map.of("connect-timeout", 1L)));

        assertThat(run.add(NEXT_GOOD, answer("{\"outcome\":\"answered\",\"status\":503}"), 1_000))
                .isFalse();
    }

    private static PolledAnswer answer(String json) {
        return new PolledAnswer(0, json.getBytes(StandardCharsets.UTF_8));
    }
}

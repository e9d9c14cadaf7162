package io.iocluster.lab.load.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.lab.load.experiment.Expectation.Comparison;
import io.iocluster.lab.load.experiment.Expectation.Kind;
import io.iocluster.lab.load.experiment.Expectation.Metric;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpectationTest {

    @Test
    void aPercentileIsComparedWithADuration() {
        assertThat(Expectation.parse("p99.9 of click in peak <= 2s"))
                .isEqualTo(new Expectation(
                        "p99.9 of click in peak <= 2s",
                        new Metric(Kind.PERCENTILE, 99.9, null),
                        "click",
                        "peak",
                        Comparison.LESS_OR_EQUAL,
                        2_000,
                        null));
    }

    @Test
    void aLagMayFallBelowItsLimitAfterThePhase() {
        Expectation parsed = Expectation.parse("lag in spike < 1s within 60s");

        assertThat(parsed.metric().kind()).isEqualTo(Kind.LAG);
        assertThat(parsed.phase()).isEqualTo("spike");
        assertThat(parsed.threshold()).isEqualTo(1_000);
        assertThat(parsed.within()).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void aQueryMayContainOperatorsAndWords() {
        Expectation parsed =
                Expectation.parse("promql(sum(rate(x{a=\"in b\"}[1m])) > bool 3) in peak >= 0.5 within 5s");

        assertThat(parsed.metric()).isEqualTo(new Metric(Kind.PROMQL, 0, "sum(rate(x{a=\"in b\"}[1m])) > bool 3"));
        assertThat(parsed.phase()).isEqualTo("peak");
        assertThat(parsed.comparison()).isEqualTo(Comparison.GREATER_OR_EQUAL);
        assertThat(parsed.threshold()).isEqualTo(0.5);
        assertThat(parsed.within()).isEqualTo(Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @CsvSource({
        "error-share < 0.1%, ERROR_SHARE, 0.001",
        "error-share < 0.25, ERROR_SHARE, 0.25",
        "errors < 5, ERRORS, 5",
        "rate > 1700/s, RATE, 1700",
        "rate > 120/m, RATE, 2",
        "rate-share >= 99%, RATE_SHARE, 0.99",
        "queue.p99 < 50ms, QUEUE_PERCENTILE, 50",
        "wait.p50 < 5ms, WAIT_PERCENTILE, 5",
        "attempt.p95 < 1s, ATTEMPT_PERCENTILE, 1000",
        "best-rate > 5000/s, BEST_RATE, 5000",
        "metric(cpu) < 80, NAMED, 80",
        "lag-messages < 10 within 1m, LAG_MESSAGES, 10"
    })
    void eachMetricHasItsUnit(String text, Kind kind, double threshold) {
        Expectation parsed = Expectation.parse(text);

        assertThat(parsed.metric().kind()).isEqualTo(kind);
        assertThat(parsed.threshold()).isEqualTo(threshold);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "p99 300ms | is not a condition",
                "eror-share < 1% | did you mean error-share?",
                "p99 < 300 | not a duration such as 250ms",
                "p99 < 300ms within 5s | must not have \"within\"",
                "lag of click < 1s | must not have \"of\"",
                "rate-share of click > 99% | must not have \"of\"",
                "best-rate of click > 5/s | must not have \"of\"",
                "p99 at peak < 1s | use \"of REQUEST\" and \"in PHASE\"",
                "p0 < 1s | has a percentile of 0",
                "rate > 5 | not a rate such as 200/s",
                "errors < many | must compare with a number",
                "promql() < 1 | nothing between the parentheses"
            })
    void anErrorSaysWhatIsWrong(String text, String problem) {
        assertThatThrownBy(() -> Expectation.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(problem);
    }
}

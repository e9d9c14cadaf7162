package io.iocluster.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.Certainty;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.usable.Usability;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.testkit.time.FakeClock;
import io.iocluster.thread.Platform;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryPolicyTest {

    private static final long REMAINING_MILLIS = 60_000;
    private static final TargetUrl URL = new TargetUrl("http", "partner.example", 80, "/");
    private static final HttpRequest GET = new HttpRequest("GET", URL, List.of(), null);
    private static final HttpRequest POST = new HttpRequest("POST", URL, List.of(), null);
    private static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");
    private static final RetrySettings SETTINGS =
            RetrySettings.DEFAULTS.withAttempts(5, Duration.ofMillis(100), Duration.ofMillis(1_000));

    /** Always returns the largest number below the bound. */
    private static final class MaxRandom implements RandomGenerator {
        @Override
        public long nextLong() {
            return Long.MAX_VALUE;
        }

        @Override
        public long nextLong(long bound) {
            return bound - 1;
        }
    }

    private final RetryPolicy policy =
            new RetryPolicy(SETTINGS, new MaxRandom(), new FakeClock(() -> 0, NOW::toEpochMilli));

    @Test
    void allowsASecondAttemptOnlyOfACallThatMayBeRepeatedAndHasAnAttemptLeft() {
        assertThat(policy.allowsHedge(GET, false, 1, 0)).isTrue();
        assertThat(policy.allowsHedge(POST, false, 1, 0)).isFalse();
        assertThat(policy.allowsHedge(POST, true, 1, 0)).isTrue();
        assertThat(policy.allowsHedge(GET, false, 4, 0)).isTrue();
        assertThat(policy.allowsHedge(GET, false, 5, 0)).isFalse();
        assertThat(policy.allowsHedge(GET, false, 1, 1)).isFalse();
    }

    @Test
    void doesNotRetryOtherStatuses() {
        assertThat(policy.nextDelay(GET, false, response(200), 1, 0, REMAINING_MILLIS))
                .isEmpty();
        assertThat(policy.nextDelay(GET, false, response(404), 1, 0, REMAINING_MILLIS))
                .isEmpty();
        assertThat(policy.nextDelay(GET, false, response(500), 1, 0, REMAINING_MILLIS))
                .isEmpty();
        assertThat(policy.nextDelay(GET, false, response(501), 1, 0, REMAINING_MILLIS))
                .isEmpty();
        assertThat(policy.nextDelay(GET, false, response(505), 1, 0, REMAINING_MILLIS))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 502, 503, 504})
    void retriesATemporaryErrorStatusIfTheCallIsIdempotent(int status) {
        assertThat(policy.nextDelay(GET, false, response(status), 1, 0, REMAINING_MILLIS))
                .isPresent();
        assertThat(policy.nextDelay(POST, true, response(status), 1, 0, REMAINING_MILLIS))
                .isPresent();
        assertThat(policy.nextDelay(POST, false, response(status), 1, 0, REMAINING_MILLIS))
                .isEmpty();
    }

    @Test
    void retriesAnUnusableAnswerOnlyIfTheSettingsSaySo() {
        HttpResult unusable = ((HttpResult.Response) response(200)).withUsability(Usability.NO_MATCH);
        HttpResult usable = ((HttpResult.Response) response(200)).withUsability(Usability.USABLE);
        RetryPolicy strict =
                new RetryPolicy(RecordCopy.with(SETTINGS, "unusableAnswers", true), new MaxRandom(), Platform.system());

        assertThat(policy.nextDelay(GET, false, unusable, 1, 0, REMAINING_MILLIS))
                .isEmpty();
        assertThat(strict.nextDelay(GET, false, unusable, 1, 0, REMAINING_MILLIS))
                .isPresent();
        assertThat(strict.nextDelay(POST, true, unusable, 1, 0, REMAINING_MILLIS))
                .isPresent();
        assertThat(strict.nextDelay(POST, false, unusable, 1, 0, REMAINING_MILLIS))
                .isEmpty();
        assertThat(strict.nextDelay(GET, false, unusable, 5, 0, REMAINING_MILLIS))
                .isEmpty();
        assertThat(strict.nextDelay(GET, false, usable, 1, 0, REMAINING_MILLIS)).isEmpty();
        assertThat(strict.nextDelay(GET, false, response(404), 1, 0, REMAINING_MILLIS))
                .isEmpty();
    }

    @Test
    void retriesACallThatWasNotSent() {
        assertThat(policy.nextDelay(
                        POST, false, failure(ErrorCode.CONNECT_REFUSED, Certainty.NOT_SENT), 1, 0, REMAINING_MILLIS))
                .isPresent();
    }

    @Test
    void retriesACallThatMayHaveBeenSentOnlyIfItIsIdempotent() {
        HttpResult closed = failure(ErrorCode.CONNECTION_CLOSED, Certainty.UNKNOWN);
        assertThat(policy.nextDelay(POST, false, closed, 1, 0, REMAINING_MILLIS))
                .isEmpty();
        assertThat(policy.nextDelay(POST, true, closed, 1, 0, REMAINING_MILLIS)).isPresent();
        assertThat(policy.nextDelay(GET, false, closed, 1, 0, REMAINING_MILLIS)).isPresent();
    }

    @Test
    void doesNotRetryACallThatTheEgressPolicyRejects() {
        assertThat(policy.nextDelay(
                        GET, true, failure(ErrorCode.ADDRESS_NOT_ALLOWED, Certainty.NOT_SENT), 1, 0, REMAINING_MILLIS))
                .isEmpty();
    }

    @Test
    void retriesOnlyTheConfiguredStatusesAndCodes() {
        RetrySettings settings =
                RecordCopy.with(SETTINGS, "maxAttempts", 3, "statuses", List.of(500), "codes", List.of(ErrorCode.TLS));
        RetryPolicy configured = new RetryPolicy(settings, new MaxRandom(), Platform.system());

        assertThat(configured.nextDelay(GET, false, response(500), 1, 0, REMAINING_MILLIS))
                .isPresent();
        assertThat(configured.nextDelay(GET, false, response(503), 1, 0, REMAINING_MILLIS))
                .isEmpty();
        assertThat(configured.nextDelay(
                        POST, false, failure(ErrorCode.TLS, Certainty.NOT_SENT), 1, 0, REMAINING_MILLIS))
                .isPresent();
        assertThat(configured.nextDelay(
                        GET, false, failure(ErrorCode.TIMEOUT, Certainty.NOT_SENT), 1, 0, REMAINING_MILLIS))
                .isEmpty();
    }

    @Test
    void limitsThePauseThatATargetAsksFor() {
        assertThat(policy.pauseMillis(retryAfter(503, "7"))).isEqualTo(7_000);
        assertThat(policy.pauseMillis(retryAfter(429, "7"))).isEqualTo(7_000);
        assertThat(policy.pauseMillis(retryAfter(429, "3600"))).isEqualTo(30_000);
        assertThat(policy.pauseMillis(retryAfter(200, "7"))).isZero();
        assertThat(policy.pauseMillis(retryAfter(503, "soon"))).isZero();
    }

    @Test
    void stopsAfterTheLastAttempt() {
        assertThat(policy.nextDelay(GET, false, response(503), 4, 0, REMAINING_MILLIS))
                .isPresent();
        assertThat(policy.nextDelay(GET, false, response(503), 5, 0, REMAINING_MILLIS))
                .isEmpty();
        assertThat(policy.nextDelay(GET, false, response(503), 1, 2, REMAINING_MILLIS))
                .isPresent();
        assertThat(policy.nextDelay(GET, false, response(503), 2, 2, REMAINING_MILLIS))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1,100", "2,200", "3,400", "4,800", "5,1000", "40,1000", "90,1000"})
    void doublesTheRandomRangeUpToTheMaximum(int attemptsMade, long maxMillis) {
        assertThat(policy.nextDelay(GET, false, response(503), attemptsMade, 100, REMAINING_MILLIS))
                .contains(Duration.ofMillis(maxMillis));
    }

    @Test
    void includesZeroInTheRandomRange() {
        RetryPolicy minRandom = new RetryPolicy(SETTINGS, () -> 0L, Platform.system());
        assertThat(minRandom.nextDelay(GET, false, response(503), 1, 0, REMAINING_MILLIS))
                .contains(Duration.ZERO);
    }

    @Test
    void waitsAtLeastAsLongAsTheTargetAsks() {
        assertThat(policy.nextDelay(GET, false, retryAfter("7"), 1, 0, REMAINING_MILLIS))
                .contains(Duration.ofMillis(7_100));
        assertThat(policy.nextDelay(GET, false, retryAfter("Mon, 05 Jan 2026 10:00:09 GMT"), 1, 0, REMAINING_MILLIS))
                .contains(Duration.ofMillis(9_100));
    }

    @ParameterizedTest
    @ValueSource(strings = {"60", "9999999999", "99999999999999999999999999", "Mon, 05 Jan 2099 10:00:09 GMT"})
    void doesNotRetryIfTheTargetAsksForMoreTimeThanRemains(String value) {
        assertThat(policy.nextDelay(GET, false, retryAfter(value), 1, 0, REMAINING_MILLIS))
                .isEmpty();
    }

    @Test
    void doesNotRetryIfTheDelayWouldPassTheDeadline() {
        assertThat(policy.nextDelay(GET, false, response(503), 1, 0, 101)).isPresent();
        assertThat(policy.nextDelay(GET, false, response(503), 1, 0, 100)).isEmpty();
        assertThat(policy.nextDelay(GET, false, response(503), 1, 0, -5)).isEmpty();
    }

    @Test
    void allocatesNothingForAResponseThatIsNotRetried() {
        HttpResult answer = response(200);
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long bytes = Long.MAX_VALUE;
        // The first rounds also allocate for class loading and compilation.
        for (int round = 0; round < 20 && bytes > 0; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            Optional<Duration> last = Optional.empty();
            for (int i = 0; i < 10_000; i++) {
                last = policy.nextDelay(GET, false, answer, 1, 0, REMAINING_MILLIS);
            }
            bytes = threads.getCurrentThreadAllocatedBytes() - before;
            assertThat(last).isEmpty();
        }
        assertThat(bytes).isLessThan(10_000);
    }

    private static HttpResult response(int status) {
        return new HttpResult.Response(status, List.of(), new byte[0], false, AttemptTiming.NONE);
    }

    private static HttpResult retryAfter(String value) {
        return retryAfter(503, value);
    }

    private static HttpResult.Response retryAfter(int status, String value) {
        return new HttpResult.Response(
                status, List.of(new Header("retry-after", value)), new byte[0], false, AttemptTiming.NONE);
    }

    private static HttpResult failure(ErrorCode code, Certainty certainty) {
        return new HttpResult.Failure(code, "for the test", certainty, AttemptTiming.NONE);
    }
}

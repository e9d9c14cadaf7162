package io.iocluster.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.SentStatus;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryPolicyTest {

    private static final long LEFT = 60_000;
    private static final TargetUrl URL = new TargetUrl("http", "partner.example", 80, "/");
    private static final HttpRequest GET = new HttpRequest("GET", URL, List.of(), null);
    private static final HttpRequest POST = new HttpRequest("POST", URL, List.of(), null);
    private static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");
    private static final RetrySettings SETTINGS =
            RetrySettings.DEFAULTS.withAttempts(5, Duration.ofMillis(100), Duration.ofMillis(1_000));

    /** Draws the largest number there is. */
    private static final class Most implements RandomGenerator {
        @Override
        public long nextLong() {
            return Long.MAX_VALUE;
        }

        @Override
        public long nextLong(long bound) {
            return bound - 1;
        }
    }

    private final RetryPolicy policy = new RetryPolicy(SETTINGS, new Most(), Clock.fixed(NOW, ZoneOffset.UTC));

    @Test
    void leavesAnAnswerAlone() {
        assertThat(policy.nextDelay(GET, false, response(200), 1, 0, LEFT)).isEmpty();
        assertThat(policy.nextDelay(GET, false, response(404), 1, 0, LEFT)).isEmpty();
        assertThat(policy.nextDelay(GET, false, response(500), 1, 0, LEFT)).isEmpty();
        assertThat(policy.nextDelay(GET, false, response(501), 1, 0, LEFT)).isEmpty();
        assertThat(policy.nextDelay(GET, false, response(505), 1, 0, LEFT)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 502, 503, 504})
    void repeatsWhatTheTargetCouldNotDoNowIfRepeatingDoesNoHarm(int status) {
        assertThat(policy.nextDelay(GET, false, response(status), 1, 0, LEFT)).isPresent();
        assertThat(policy.nextDelay(POST, true, response(status), 1, 0, LEFT)).isPresent();
        assertThat(policy.nextDelay(POST, false, response(status), 1, 0, LEFT)).isEmpty();
    }

    @Test
    void repeatsWhatSurelyDidNotGoOut() {
        assertThat(policy.nextDelay(POST, false, failure(ErrorCode.CONNECT_REFUSED, SentStatus.NO), 1, 0, LEFT))
                .isPresent();
    }

    @Test
    void repeatsWhatMayHaveGoneOutOnlyIfThatDoesNoHarm() {
        HttpResult lost = failure(ErrorCode.CONNECTION_CLOSED, SentStatus.MAYBE);
        assertThat(policy.nextDelay(POST, false, lost, 1, 0, LEFT)).isEmpty();
        assertThat(policy.nextDelay(POST, true, lost, 1, 0, LEFT)).isPresent();
        assertThat(policy.nextDelay(GET, false, lost, 1, 0, LEFT)).isPresent();
    }

    @Test
    void neverRepeatsWhatThePolicyRefused() {
        assertThat(policy.nextDelay(GET, true, failure(ErrorCode.ADDRESS_NOT_ALLOWED, SentStatus.NO), 1, 0, LEFT))
                .isEmpty();
    }

    @Test
    void repeatsTheStatusesAndCodesThatTheSettingsNameAndNoOther() {
        RetrySettings settings = new RetrySettings(
                3,
                SETTINGS.baseDelay(),
                SETTINGS.maxDelay(),
                SETTINGS.delayedAfter(),
                List.of(500),
                List.of(ErrorCode.TLS),
                SETTINGS.maxRetryAfter(),
                SETTINGS.budget());
        RetryPolicy named = new RetryPolicy(settings, new Most(), Clock.systemUTC());

        assertThat(named.nextDelay(GET, false, response(500), 1, 0, LEFT)).isPresent();
        assertThat(named.nextDelay(GET, false, response(503), 1, 0, LEFT)).isEmpty();
        assertThat(named.nextDelay(POST, false, failure(ErrorCode.TLS, SentStatus.NO), 1, 0, LEFT))
                .isPresent();
        assertThat(named.nextDelay(GET, false, failure(ErrorCode.TIMEOUT, SentStatus.NO), 1, 0, LEFT))
                .isEmpty();
    }

    @Test
    void pausesForAsLongAsABusyTargetAsksButNeverTooLong() {
        assertThat(policy.pauseMillis(retryAfter(503, "7"))).isEqualTo(7_000);
        assertThat(policy.pauseMillis(retryAfter(429, "7"))).isEqualTo(7_000);
        assertThat(policy.pauseMillis(retryAfter(429, "3600"))).isEqualTo(30_000);
        assertThat(policy.pauseMillis(retryAfter(200, "7"))).isZero();
        assertThat(policy.pauseMillis(retryAfter(503, "soon"))).isZero();
    }

    @Test
    void stopsAfterTheLastAttempt() {
        assertThat(policy.nextDelay(GET, false, response(503), 4, 0, LEFT)).isPresent();
        assertThat(policy.nextDelay(GET, false, response(503), 5, 0, LEFT)).isEmpty();
        assertThat(policy.nextDelay(GET, false, response(503), 1, 2, LEFT)).isPresent();
        assertThat(policy.nextDelay(GET, false, response(503), 2, 2, LEFT)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1,100", "2,200", "3,400", "4,800", "5,1000", "40,1000", "90,1000"})
    void drawsFromARangeThatDoublesUpToTheLongest(int attemptsMade, long longest) {
        assertThat(policy.nextDelay(GET, false, response(503), attemptsMade, 100, LEFT))
                .contains(Duration.ofMillis(longest));
    }

    @Test
    void drawsFromZeroOn() {
        RetryPolicy least = new RetryPolicy(SETTINGS, () -> 0L, Clock.systemUTC());
        assertThat(least.nextDelay(GET, false, response(503), 1, 0, LEFT)).contains(Duration.ZERO);
    }

    @Test
    void waitsAtLeastAsLongAsTheTargetAsks() {
        assertThat(policy.nextDelay(GET, false, retryAfter("7"), 1, 0, LEFT)).contains(Duration.ofMillis(7_100));
        assertThat(policy.nextDelay(GET, false, retryAfter("Mon, 05 Jan 2026 10:00:09 GMT"), 1, 0, LEFT))
                .contains(Duration.ofMillis(9_100));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"-1", "", "soon", "1.5", "Mon, 05 Jan 2026 09:00:00 GMT", "Tue, 05 Jan 2026 10:00:09 GMT", "１"})
    void ignoresAWaitThatMeansNothing(String value) {
        assertThat(policy.nextDelay(GET, false, retryAfter(value), 1, 0, LEFT)).contains(Duration.ofMillis(100));
    }

    @ParameterizedTest
    @ValueSource(strings = {"60", "9999999999", "99999999999999999999999999", "Mon, 05 Jan 2099 10:00:09 GMT"})
    void givesUpIfTheTargetAsksForMoreTimeThanIsLeft(String value) {
        assertThat(policy.nextDelay(GET, false, retryAfter(value), 1, 0, LEFT)).isEmpty();
    }

    @Test
    void givesUpIfTheWaitWouldOutlastTheDeadline() {
        assertThat(policy.nextDelay(GET, false, response(503), 1, 0, 101)).isPresent();
        assertThat(policy.nextDelay(GET, false, response(503), 1, 0, 100)).isEmpty();
        assertThat(policy.nextDelay(GET, false, response(503), 1, 0, -5)).isEmpty();
    }

    @Test
    void allocatesNothingForAnAnswer() {
        HttpResult answer = response(200);
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long bytes = Long.MAX_VALUE;
        // The first rounds also pay for classes being loaded and code being compiled.
        for (int round = 0; round < 20 && bytes > 0; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            Optional<Duration> last = Optional.empty();
            for (int i = 0; i < 10_000; i++) {
                last = policy.nextDelay(GET, false, answer, 1, 0, LEFT);
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

    private static HttpResult failure(ErrorCode code, SentStatus sent) {
        return new HttpResult.Failure(code, "for the test", sent, AttemptTiming.NONE);
    }
}

package io.iocluster.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.message.ErrorCode;
import io.iocluster.node.metrics.RecentFailures.FailedCall;
import io.iocluster.node.metrics.RecentFailures.FailureCount;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class RecentFailuresTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private final RecentFailures recent = new RecentFailures(2, Clock.fixed(NOW, ZoneOffset.UTC));

    @Test
    void keepsOnlyTheLatestFailures() {
        add("1", "a:80", ErrorCode.TIMEOUT);
        add("2", "a:80", ErrorCode.TIMEOUT);
        add("3", null, ErrorCode.INVALID_URL);

        assertThat(recent.latest())
                .containsExactly(
                        new FailedCall(NOW, "3", null, ErrorCode.INVALID_URL, "why", 1),
                        new FailedCall(NOW, "2", "a:80", ErrorCode.TIMEOUT, "why", 1));
    }

    @Test
    void listsAllCountsMostFrequentFirst() {
        add("1", "a:80", ErrorCode.TIMEOUT);
        add("2", "b:80", ErrorCode.TLS);
        add("3", "b:80", ErrorCode.TLS);
        add("4", "b:80", ErrorCode.TLS);

        assertThat(recent.counts())
                .containsExactly(
                        new FailureCount("b:80", ErrorCode.TLS, 3), new FailureCount("a:80", ErrorCode.TIMEOUT, 1));
    }

    @Test
    void addsUpTheLeastRecentKindsWhenTheLimitIsReached() {
        add("1", "a:80", ErrorCode.TIMEOUT);
        add("2", "b:80", ErrorCode.TIMEOUT);
        add("3", "a:80", ErrorCode.TIMEOUT);
        add("4", "c:80", ErrorCode.TIMEOUT);
        add("5", "d:80", ErrorCode.TIMEOUT);

        assertThat(recent.counts())
                .containsExactlyInAnyOrder(
                        new FailureCount(RecentFailures.OTHER, ErrorCode.TIMEOUT, 3),
                        new FailureCount("c:80", ErrorCode.TIMEOUT, 1),
                        new FailureCount("d:80", ErrorCode.TIMEOUT, 1));
    }

    @Test
    void truncatesLongTexts() {
        recent.add("i".repeat(1_000), "a:80", ErrorCode.TLS, "m".repeat(499) + "\uD83D\uDE00", 1);

        FailedCall failure = recent.latest().get(0);
        assertThat(failure.id()).isEqualTo("i".repeat(200) + "…");
        assertThat(failure.message()).isEqualTo("m".repeat(499) + "…");
    }

    @Test
    void keepsNothingIfTheLimitIsZero() {
        RecentFailures none = new RecentFailures(0, Clock.systemUTC());

        none.add("1", "a:80", ErrorCode.TIMEOUT, "why", 1);

        assertThat(none.latest()).isEmpty();
        assertThat(none.counts()).isEmpty();
    }

    private void add(String id, String destination, ErrorCode code) {
        recent.add(id, destination, code, "why", 1);
    }
}

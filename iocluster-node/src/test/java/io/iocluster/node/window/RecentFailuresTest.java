package io.iocluster.node.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.iocluster.message.ErrorCode;
import io.iocluster.node.window.RecentFailures.FailedCall;
import io.iocluster.node.window.RecentFailures.FailureGroup;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecentFailuresTest {

    private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

    private Instant now = START;
    private final RecentFailures recent = new RecentFailures(3, () -> now);

    @Test
    void groupsByDestinationAndCodeTheLatestFirst() {
        add("1", "a:80", ErrorCode.TIMEOUT);
        add("2", null, ErrorCode.INVALID_URL);
        add("3", "a:80", ErrorCode.TIMEOUT);

        assertThat(recent.groups())
                .containsExactly(
                        new FailureGroup(
                                "a:80",
                                ErrorCode.TIMEOUT,
                                2,
                                START,
                                START.plusSeconds(2),
                                List.of(
                                        new FailedCall(START.plusSeconds(2), "3", "a:80", ErrorCode.TIMEOUT, "why", 1),
                                        new FailedCall(START, "1", "a:80", ErrorCode.TIMEOUT, "why", 1))),
                        new FailureGroup(
                                null,
                                ErrorCode.INVALID_URL,
                                1,
                                START.plusSeconds(1),
                                START.plusSeconds(1),
                                List.of(new FailedCall(
                                        START.plusSeconds(1), "2", null, ErrorCode.INVALID_URL, "why", 1))));
    }

    @Test
    void aFloodOfOneKindHidesNoOtherKind() {
        add("first", "a:80", ErrorCode.TLS);
        add("second", "a:80", ErrorCode.TIMEOUT);
        for (int i = 0; i < 1_000; i++) {
            add("flood-" + i, "a:80", ErrorCode.BREAKER_OPEN);
        }

        assertThat(recent.groups())
                .extracting(FailureGroup::code, FailureGroup::count, RecentFailuresTest::ids)
                .containsExactly(
                        tuple(ErrorCode.BREAKER_OPEN, 1_000L, List.of("flood-999")),
                        tuple(ErrorCode.TIMEOUT, 1L, List.of("second")),
                        tuple(ErrorCode.TLS, 1L, List.of("first")));
    }

    @Test
    void aNewKindTakesTheRoomOfTheLargest() {
        for (int i = 0; i < 10; i++) {
            add("flood-" + i, "a:80", ErrorCode.BREAKER_OPEN);
        }
        add("new", "a:80", ErrorCode.TLS);

        assertThat(recent.groups())
                .extracting(RecentFailuresTest::ids)
                .containsExactly(List.of("new"), List.of("flood-9", "flood-8"));
    }

    @Test
    void addsUpTheLeastRecentKindsWhenTheLimitIsReached() {
        add("1", "a:80", ErrorCode.TIMEOUT);
        add("2", "b:80", ErrorCode.TIMEOUT);
        add("3", "c:80", ErrorCode.TIMEOUT);
        add("4", "a:80", ErrorCode.TIMEOUT);
        add("5", "d:80", ErrorCode.TIMEOUT);
        add("6", "e:80", ErrorCode.TIMEOUT);

        assertThat(recent.groups())
                .extracting(FailureGroup::destination, FailureGroup::count, RecentFailuresTest::ids)
                .containsExactly(
                        tuple("e:80", 1L, List.of("6")),
                        tuple("d:80", 1L, List.of("5")),
                        tuple("a:80", 2L, List.of("4")),
                        tuple(RecentFailures.OTHER, 2L, List.of()));
    }

    @Test
    void truncatesLongTexts() {
        recent.add("i".repeat(1_000), "a:80", ErrorCode.TLS, "m".repeat(499) + "\uD83D\uDE00", 1);

        FailedCall failure = recent.groups().get(0).latest().get(0);
        assertThat(failure.id()).isEqualTo("i".repeat(200) + "…");
        assertThat(failure.message()).isEqualTo("m".repeat(499) + "…");
    }

    @Test
    void keepsNothingIfTheLimitIsZero() {
        RecentFailures none = new RecentFailures(0, Clock.systemUTC());

        none.add("1", "a:80", ErrorCode.TIMEOUT, "why", 1);

        assertThat(none.groups()).isEmpty();
    }

    private static List<String> ids(FailureGroup group) {
        return group.latest().stream().map(FailedCall::id).toList();
    }

    /** Adds a failure and lets a second pass. */
    private void add(String id, String destination, ErrorCode code) {
        recent.add(id, destination, code, "why", 1);
        now = now.plusSeconds(1);
    }
}

package io.iocluster.destination.limit;

import static io.iocluster.destination.DestinationFixture.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.iocluster.destination.Admission;
import io.iocluster.destination.Destination;
import io.iocluster.destination.DestinationFixture;
import io.iocluster.destination.FakePendingCall;
import io.iocluster.destination.policy.BreakerSettings;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.usable.Usability;
import io.iocluster.settings.StatusPattern;
import io.iocluster.testkit.junit.CapturedLog;
import io.iocluster.testkit.record.RecordCopy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BreakerTest {

    private static final BreakerSettings QUICK = new BreakerSettings(
            true, 50, 10, 4, Duration.ofSeconds(5), Duration.ofSeconds(8), 2, DestinationFixture.FAILURES, false);

    private static final Duration TIMEOUT = DestinationPolicy.DEFAULTS.timeout();

    private final DestinationFixture fixture = new DestinationFixture(policy(0, 10, QUICK));
    private final Destination<FakePendingCall> a = fixture.at("a.example");

    @AutoClose
    private final CapturedLog log = CapturedLog.of(BreakerChange.class, Level.INFO);

    @ParameterizedTest
    @EnumSource(
            value = ErrorCode.class,
            names = {"DNS_FAILED", "CONNECT_TIMEOUT", "CONNECT_REFUSED", "TLS", "TIMEOUT", "CONNECTION_CLOSED"})
    void opensWhenTheNetworkFails(ErrorCode code) {
        for (int i = 0; i < 4; i++) {
            fixture.admitted(a).fail(code);
        }

        assertThat(a.status().breaker()).isEqualTo(BreakerState.OPEN);
        assertThat(a.offer(fixture.call())).isEqualTo(Admission.QUEUED);
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 503, 504})
    void opensWhenTheTargetFails(int status) {
        for (int i = 0; i < 4; i++) {
            fixture.admitted(a).respond(status);
        }

        assertThat(a.status().breaker()).isEqualTo(BreakerState.OPEN);
    }

    @Test
    void staysClosedAfterResultsThatAreNoFailuresOfTheTarget() {
        for (int i = 0; i < 20; i++) {
            fixture.admitted(a).respond(404);
            fixture.admitted(a).respond(429);
            fixture.admitted(a).fail(ErrorCode.ADDRESS_NOT_ALLOWED);
            fixture.admitted(a).fail(ErrorCode.OUT_OF_MEMORY_BUDGET);
        }

        assertThat(a.status().breaker()).isEqualTo(BreakerState.CLOSED);
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 429, 503, 700})
    void opensAfterTheConfiguredStatuses(int status) {
        List<StatusPattern> failures =
                Stream.of("5xx", "401", "429").map(StatusPattern::parse).toList();
        DestinationFixture strict = new DestinationFixture(policy(
                0,
                10,
                new BreakerSettings(
                        true, 50, 10, 4, Duration.ofSeconds(5), Duration.ofSeconds(8), 2, failures, false)));
        Destination<FakePendingCall> destination = strict.at("a.example");
        for (int i = 0; i < 20; i++) {
            strict.admitted(destination).respond(403);
        }
        assertThat(destination.status().breaker()).isEqualTo(BreakerState.CLOSED);

        for (int i = 0; i < 5; i++) {
            strict.admitted(destination).respond(status);
        }

        assertThat(destination.status().breaker()).isEqualTo(BreakerState.OPEN);
    }

    @Test
    void opensAfterUnusableAnswersIfTheyCountAsFailures() {
        DestinationFixture strict =
                new DestinationFixture(policy(0, 10, RecordCopy.with(QUICK, "unusableAnswers", true)));
        Destination<FakePendingCall> destination = strict.at("a.example");
        for (int i = 0; i < 4; i++) {
            fixture.admitted(a).respond(200, Usability.NO_MATCH);
            strict.admitted(destination).respond(200, Usability.NO_MATCH);
        }
        strict.advance(Duration.ofMillis(1));

        assertThat(a.status().breaker()).isEqualTo(BreakerState.CLOSED);
        assertThat(destination.status().breaker()).isEqualTo(BreakerState.OPEN);
        assertThat(log.events())
                .extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        "Breaker opened destination=a.example:443 failed=4/4 last=status 200, unusable: no-match");
    }

    @Test
    void staysOpenTwiceAsLongWhenTheProbesFailUpToTheMaximum() {
        open();
        a.offer(fixture.call());
        a.offer(fixture.call());
        a.offer(fixture.call());
        fixture.advance(Duration.ofMillis(5_001));
        fixture.started.forEach(probe -> probe.respond(500));
        assertThat(a.status().breaker()).isEqualTo(BreakerState.OPEN);

        fixture.advance(Duration.ofSeconds(8));
        assertThat(fixture.started).hasSize(2);
        fixture.advance(Duration.ofMillis(1));

        assertThat(fixture.started).hasSize(3);
    }

    @Test
    void replacesAProbeThatWasAbandoned() {
        open();
        a.offer(fixture.call());
        a.offer(fixture.call());
        a.offer(fixture.call());
        fixture.advance(Duration.ofMillis(5_001));
        assertThat(fixture.started).hasSize(2);

        fixture.started.get(0).permit.abandonAttempt();

        assertThat(fixture.grantNext(a)).isNotNull();
    }

    @Test
    void ignoresResultsOfCallsThatStartedBeforeItOpened() {
        FakePendingCall late = fixture.admitted(a);
        FakePendingCall later = fixture.admitted(a);
        open();
        a.offer(fixture.call());
        fixture.advance(Duration.ofMillis(5_001));
        assertThat(a.status().breaker()).isEqualTo(BreakerState.HALF_OPEN);

        late.respond(500);
        later.permit.abandonAttempt();
        fixture.started.get(0).respond(200);
        fixture.admitted(a).respond(200);

        assertThat(a.status().breaker()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void logsEachChangeWithItsReason() {
        fixture.admitted(a).respond(500);
        fixture.admitted(a).respond(502);
        fixture.admitted(a).fail(ErrorCode.CONNECT_REFUSED);
        fixture.admitted(a).respond(200);
        a.offer(fixture.call());
        a.offer(fixture.call());
        a.offer(fixture.call());
        fixture.advance(Duration.ofMillis(5_001));
        fixture.started.forEach(probe -> probe.respond(503));
        fixture.started.clear();
        a.offer(fixture.call());
        fixture.advance(Duration.ofSeconds(9));
        fixture.started.forEach(probe -> probe.respond(200));
        fixture.advance(Duration.ofMillis(10));

        assertThat(log.events())
                .extracting(ILoggingEvent::getLevel, ILoggingEvent::getFormattedMessage)
                .containsExactly(
                        tuple(Level.WARN, "Breaker opened destination=a.example:443 failed=3/4 last=connect-refused"),
                        tuple(Level.INFO, "Breaker half-open; probes start destination=a.example:443 openMillis=5001"),
                        tuple(
                                Level.INFO,
                                "Breaker opened again destination=a.example:443 openMillis=5001 failed=2/2"
                                        + " last=status 503"),
                        tuple(Level.INFO, "Breaker half-open; probes start destination=a.example:443 openMillis=14001"),
                        tuple(
                                Level.INFO,
                                "Breaker closed; waiting calls start destination=a.example:443 openMillis=14001"));
    }

    @Test
    void startsAnotherProbeEachSecondWhileProbesHaveNoResult() {
        open();
        offer(5);
        fixture.advance(Duration.ofMillis(5_001));
        assertThat(fixture.started).hasSize(2);

        fixture.advance(Duration.ofMillis(999));
        assertThat(fixture.started).hasSize(2);
        fixture.advance(Duration.ofMillis(1));

        assertThat(fixture.started).hasSize(3);
        fixture.advance(Duration.ofMillis(1_000));
        assertThat(fixture.started).hasSize(4);
    }

    @Test
    void anAbandonedProbeIsNotReplacedIfAnotherStartedInsteadOfIt() {
        open();
        offer(5);
        fixture.advance(Duration.ofMillis(5_001));
        fixture.advance(Duration.ofMillis(1_000));
        assertThat(fixture.started).hasSize(3);

        fixture.started.get(0).permit.abandonAttempt();
        assertThat(fixture.grantNext(a)).isNull();
        fixture.started.get(1).permit.abandonAttempt();

        assertThat(fixture.grantNext(a)).isNotNull();
    }

    @Test
    void ignoresAFailedProbeIfALaterOneSucceeded() {
        open();
        offer(5);
        fixture.advance(Duration.ofMillis(5_001));
        fixture.advance(Duration.ofMillis(1_000));
        fixture.started.get(2).respond(200);
        fixture.started.get(0).fail(ErrorCode.TIMEOUT);
        assertThat(a.status().breaker()).isEqualTo(BreakerState.HALF_OPEN);

        fixture.advance(Duration.ofMillis(1_000));
        fixture.started.get(3).respond(200);

        assertThat(a.status().breaker()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void becomesHalfOpenWhenAProbeSucceedsThatStartedAfterTheFailedOnes() {
        open();
        offer(5);
        fixture.advance(Duration.ofMillis(5_001));
        fixture.advance(Duration.ofMillis(1_000));
        fixture.started.get(0).fail(ErrorCode.TIMEOUT);
        fixture.started.get(1).fail(ErrorCode.TIMEOUT);
        assertThat(a.status().breaker()).isEqualTo(BreakerState.OPEN);

        fixture.started.get(2).respond(200);

        assertThat(a.status().breaker()).isEqualTo(BreakerState.HALF_OPEN);
        fixture.grantNext(a).respond(200);
        assertThat(a.status().breaker()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void staysOpenWhenAProbeSucceedsThatStartedBeforeAFailedOne() {
        open();
        offer(5);
        fixture.advance(Duration.ofMillis(5_001));
        fixture.advance(Duration.ofMillis(1_000));
        fixture.started.get(1).fail(ErrorCode.TIMEOUT);
        fixture.started.get(2).fail(ErrorCode.TIMEOUT);

        fixture.started.get(0).respond(200);

        assertThat(a.status().breaker()).isEqualTo(BreakerState.OPEN);
    }

    @Test
    void opensForTheShortestTimeIfNoProbeHasAResultWithinTwiceTheTimeout() {
        open();
        offer(10);
        fixture.advance(Duration.ofMillis(5_001));
        fixture.started.forEach(probe -> probe.respond(500));
        fixture.advance(Duration.ofMillis(8_001));
        assertThat(a.status().breaker()).isEqualTo(BreakerState.HALF_OPEN);
        fixture.advance(TIMEOUT.multipliedBy(2).minusMillis(1));
        assertThat(a.status().breaker()).isEqualTo(BreakerState.HALF_OPEN);

        fixture.advance(Duration.ofMillis(1));

        assertThat(a.status().breaker()).isEqualTo(BreakerState.OPEN);
        fixture.advance(Duration.ofMillis(5_001));
        assertThat(a.status().breaker()).isEqualTo(BreakerState.HALF_OPEN);
        assertThat(log.events())
                .extracting(ILoggingEvent::getFormattedMessage)
                .contains("Breaker opened again; no probe had a result destination=a.example:443 openMillis=33002");
    }

    @Test
    void closesAfterTwiceTheTimeoutIfTheProbesWithAResultSucceeded() {
        open();
        offer(10);
        fixture.advance(Duration.ofMillis(5_001));
        fixture.started.get(0).respond(200);

        fixture.advance(TIMEOUT.multipliedBy(2));
        fixture.advance(Duration.ofMillis(10));

        assertThat(a.status().breaker()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void opensOnlyForTheRestOfTheTimeIfTheProbesHung() {
        open();
        offer(5);
        fixture.advance(Duration.ofMillis(5_001));
        fixture.advanceWithoutTick(Duration.ofSeconds(7));
        fixture.started.forEach(probe -> probe.fail(ErrorCode.TIMEOUT));
        assertThat(a.status().breaker()).isEqualTo(BreakerState.OPEN);

        fixture.advance(Duration.ofMillis(1_001));

        assertThat(a.status().breaker()).isEqualTo(BreakerState.HALF_OPEN);
    }

    @Test
    void ignoresAttemptsThatStartedBeforeItClosed() {
        List<FakePendingCall> before = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            before.add(fixture.admitted(a));
        }
        open();
        offer(2);
        fixture.advance(Duration.ofMillis(5_001));
        fixture.started.forEach(probe -> probe.respond(200));
        assertThat(a.status().breaker()).isEqualTo(BreakerState.CLOSED);
        fixture.advance(Duration.ofMillis(1));

        before.forEach(call -> call.fail(ErrorCode.TIMEOUT));

        assertThat(a.status().breaker()).isEqualTo(BreakerState.CLOSED);
    }

    private void offer(int calls) {
        for (int i = 0; i < calls; i++) {
            assertThat(a.offer(fixture.call())).isEqualTo(Admission.QUEUED);
        }
    }

    private void open() {
        for (int i = 0; i < 4; i++) {
            fixture.admitted(a).respond(500);
        }
        assertThat(a.status().breaker()).isEqualTo(BreakerState.OPEN);
    }
}

package io.iocluster.destination.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.Admission;
import io.iocluster.destination.Destination;
import io.iocluster.destination.DestinationFixture;
import io.iocluster.destination.FakePendingCall;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.destination.operator.OperatorAction.Limit;
import io.iocluster.destination.operator.OperatorAction.Pause;
import io.iocluster.destination.operator.OperatorAction.RemoveLimit;
import io.iocluster.destination.operator.OperatorAction.ResetBreaker;
import io.iocluster.destination.operator.OperatorAction.Resume;
import io.iocluster.destination.policy.BreakerSettings;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.message.ErrorCode;
import io.iocluster.settings.Rate;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OperatorActionTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final BreakerSettings BREAKER = new BreakerSettings(
            true, 50, 10, 4, Duration.ofSeconds(5), Duration.ofSeconds(8), 2, DestinationFixture.FAILURES, false);
    private static final DestinationPolicy POLICY = DestinationFixture.policy(5, 3, BREAKER);

    private final DestinationFixture fixture = new DestinationFixture(POLICY);
    private final Destination<FakePendingCall> a = fixture.at("a.example");
    private final Destination<FakePendingCall> b = fixture.at("b.example");

    @Test
    void aPausedDestinationStartsNoCallAndItsCallsInFlightContinue() {
        FakePendingCall running = fixture.admitted(a);

        act(new Pause(MINUTE));
        FakePendingCall waiting = fixture.call();

        assertThat(a.offer(waiting)).isEqualTo(Admission.QUEUED);
        running.respond(200);
        fixture.advance(Duration.ofSeconds(59));
        assertThat(fixture.started).isEmpty();
        assertThat(a.status().operator().pause().remaining()).isEqualTo(Duration.ofSeconds(1));
        assertThat(a.status().pausedFor()).isZero();
    }

    @Test
    void aPauseEndsByItself() {
        act(new Pause(MINUTE));
        FakePendingCall waiting = fixture.call();
        a.offer(waiting);

        fixture.advance(MINUTE);

        assertThat(fixture.started).containsExactly(waiting);
        assertThat(a.status().operator()).isEqualTo(OperatorStatus.NONE);
    }

    @Test
    void resumeEndsAPause() {
        act(new Pause(MINUTE));
        FakePendingCall waiting = fixture.call();
        a.offer(waiting);

        act(new Resume());
        fixture.advance(Duration.ofMillis(10));

        assertThat(fixture.started).containsExactly(waiting);
    }

    @Test
    void theQueueOfAPausedDestinationStaysWithinItsBoundAndExpires() {
        fixture.admitted(b);
        act(new Pause(Duration.ofHours(20)));
        for (int i = 0; i < 3; i++) {
            assertThat(a.offer(fixture.call())).isEqualTo(Admission.QUEUED);
        }
        fixture.advance(Duration.ofSeconds(1));

        assertThat(a.offer(fixture.call())).isEqualTo(Admission.QUEUE_FULL);

        assertThat(fixture.admitted(b)).isNotNull();
        fixture.advance(Duration.ofHours(10));
        assertThat(a.status().waiting()).isZero();
        assertThat(fixture.started).isEmpty();
    }

    @Test
    void aLimitReplacesTheConfiguredOneAndEndsByItself() {
        act(new Limit(1, null, MINUTE));
        fixture.admitted(a);
        FakePendingCall second = fixture.call();

        assertThat(a.offer(second)).isEqualTo(Admission.QUEUED);
        assertThat(a.status().limit()).isEqualTo(1);
        assertThat(a.status().operator().limit().maxInFlight()).isEqualTo(1);
        fixture.advance(MINUTE);

        assertThat(fixture.started).containsExactly(second);
        assertThat(a.status().limit()).isEqualTo(5);
        assertThat(a.policy()).isEqualTo(POLICY);
    }

    @Test
    void aRateReplacesTheConfiguredOne() {
        act(new Limit(null, new Rate(1, MINUTE), MINUTE));
        fixture.admitted(a);

        assertThat(a.offer(fixture.call())).isEqualTo(Admission.QUEUED);
        assertThat(a.status().rate()).hasToString("1/m");
        assertThat(a.status().limit()).isEqualTo(5);

        act(new RemoveLimit());
        fixture.advance(Duration.ofMillis(10));

        assertThat(a.status().rate()).isEqualTo(Rate.UNLIMITED);
        assertThat(fixture.started).hasSize(1);
    }

    @Test
    void anActionSurvivesAReloadAndThenTheNewConfigurationApplies() {
        act(new Pause(MINUTE));
        act(new Limit(1, null, Duration.ofMinutes(2)));

        fixture.updateDefaultPolicy(DestinationFixture.policy(9, 3, BREAKER));
        assertThat(a.status().limit()).isEqualTo(1);
        assertThat(a.offer(fixture.call())).isEqualTo(Admission.QUEUED);
        fixture.advance(MINUTE);
        assertThat(fixture.started).hasSize(1);
        fixture.advance(MINUTE);

        assertThat(a.status().limit()).isEqualTo(9);
    }

    @Test
    void aPausedDestinationIsNotForgottenWhileItIsIdle() {
        act(new Pause(Duration.ofMinutes(10)));

        fixture.advance(Duration.ofMinutes(5));

        assertThat(fixture.at("a.example")).isSameAs(a);
        fixture.advance(Duration.ofMinutes(6));
        fixture.advance(Duration.ofSeconds(1));
        assertThat(fixture.at("a.example")).isNotSameAs(a);
    }

    @Test
    void aResetBreakerLetsCallsThrough() {
        for (int i = 0; i < 4; i++) {
            fixture.admitted(a).fail(ErrorCode.CONNECT_REFUSED);
        }
        FakePendingCall waiting = fixture.call();
        a.offer(waiting);
        assertThat(a.status().breaker()).isEqualTo(BreakerState.OPEN);

        act(new ResetBreaker());
        fixture.advance(Duration.ofMillis(10));

        assertThat(a.status().breaker()).isEqualTo(BreakerState.CLOSED);
        assertThat(fixture.started).containsExactly(waiting);
        waiting.fail(ErrorCode.CONNECT_REFUSED);
        assertThat(a.status().breaker()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void saysWhenAnActionEnds() {
        act(new Pause(MINUTE));

        assertThat(a.status().operator().pause().until()).isEqualTo(DestinationFixture.WALL_TIME.plus(MINUTE));
    }

    @Test
    void aNameWithoutADestinationIsRefused() {
        assertThat(fixture.act("c.example:443", new Resume())).isEmpty();
    }

    private void act(OperatorAction action) {
        assertThat(fixture.act("a.example:443", action)).isPresent();
    }
}

package io.iocluster.hedge;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.Admission;
import io.iocluster.destination.Destination;
import io.iocluster.destination.DestinationFixture;
import io.iocluster.destination.FakePendingCall;
import io.iocluster.destination.operator.OperatorAction.Limit;
import io.iocluster.destination.operator.OperatorAction.RemoveLimit;
import io.iocluster.destination.policy.BreakerSettings;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.message.ErrorCode;
import io.iocluster.settings.Rate;
import io.iocluster.testkit.record.RecordCopy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests when a destination lets a second attempt start. */
class DestinationHedgesTest {

    private static final BreakerSettings SENSITIVE =
            RecordCopy.with(BreakerSettings.DEFAULTS, "minimumCalls", 2, "windowSize", 2);

    @Test
    void aSecondAttemptTakesASlotUntilItsPermitIsReleased() {
        DestinationFixture node = new DestinationFixture(policy(2, "200ms", 100));
        Destination<FakePendingCall> partner = node.at("partner.example");
        node.admitted(partner);
        FakePendingCall hedge = node.call();

        assertThat(partner.tryStartHedge(hedge.permit)).isNull();
        assertThat(partner.status().inFlight()).isEqualTo(2);
        assertThat(partner.status().attempts().started()).isEqualTo(2);

        hedge.permit.release();
        assertThat(partner.status().inFlight()).isEqualTo(1);
    }

    @Test
    void startsNoneWithoutAFreeSlot() {
        DestinationFixture node = new DestinationFixture(policy(1, "200ms", 100));
        Destination<FakePendingCall> partner = node.at("partner.example");
        node.admitted(partner);

        assertThat(partner.tryStartHedge(node.call().permit)).isEqualTo(HedgeResult.SATURATED);
    }

    @Test
    void startsNoneWhileACallWaits() {
        DestinationFixture node = new DestinationFixture(policy(2, "200ms", 100));
        Destination<FakePendingCall> partner = node.at("partner.example");
        FakePendingCall first = node.admitted(partner);
        node.admitted(partner);
        assertThat(partner.offer(node.call())).isEqualTo(Admission.QUEUED);
        first.respond(200);

        assertThat(partner.tryStartHedge(node.call().permit)).isEqualTo(HedgeResult.SATURATED);

        assertThat(node.grantNext(partner)).isNotNull();
    }

    @Test
    void startsNoneWithoutATokenOfTheRate() {
        DestinationFixture node =
                new DestinationFixture(RecordCopy.with(policy(0, "200ms", 100), "rate", Rate.parse("1/s")));
        Destination<FakePendingCall> partner = node.at("partner.example");
        node.admitted(partner);

        assertThat(partner.tryStartHedge(node.call().permit)).isEqualTo(HedgeResult.SATURATED);

        node.advance(Duration.ofSeconds(1));
        assertThat(partner.tryStartHedge(node.call().permit)).isNull();
    }

    @Test
    void startsNoneUnlessTheBreakerIsClosed() {
        DestinationFixture node =
                new DestinationFixture(RecordCopy.with(policy(0, "200ms", 100), "breaker", SENSITIVE));
        Destination<FakePendingCall> partner = node.at("partner.example");
        node.admitted(partner);
        assertThat(partner.tryStartHedge(node.call().permit)).isNull();

        node.admitted(partner).fail(ErrorCode.CONNECT_REFUSED);
        node.admitted(partner).fail(ErrorCode.CONNECT_REFUSED);
        assertThat(partner.tryStartHedge(node.call().permit)).isEqualTo(HedgeResult.SATURATED);

        node.advance(SENSITIVE.openDuration()); // The breaker now lets probes through.
        assertThat(partner.tryStartHedge(node.call().permit)).isEqualTo(HedgeResult.SATURATED);
    }

    @Test
    void startsNoneWhileAnOperatorLimitsTheDestination() {
        DestinationFixture node = new DestinationFixture(policy(0, "200ms", 100));
        Destination<FakePendingCall> partner = node.at("partner.example");
        node.admitted(partner);
        node.act(partner.name(), new Limit(50, null, Duration.ofMinutes(1)));

        assertThat(partner.tryStartHedge(node.call().permit)).isEqualTo(HedgeResult.SATURATED);

        node.act(partner.name(), new RemoveLimit());
        assertThat(partner.tryStartHedge(node.call().permit)).isNull();
    }

    @Test
    void theBudgetIsAPercentageOfTheCallsOfTheLastTenSeconds() {
        DestinationFixture node = new DestinationFixture(policy(0, "200ms", 5));
        Destination<FakePendingCall> partner = node.at("partner.example");

        respondTo(59, node, partner);
        assertThat(partner.tryStartHedge(node.call().permit)).isNull();
        assertThat(partner.tryStartHedge(node.call().permit)).isNull();
        assertThat(partner.tryStartHedge(node.call().permit)).isEqualTo(HedgeResult.OVER_BUDGET);

        respondTo(1, node, partner);
        assertThat(partner.tryStartHedge(node.call().permit)).isNull();

        respondTo(39, node, partner);
        node.advance(Duration.ofSeconds(11)); // These calls no longer count.
        respondTo(21, node, partner);
        assertThat(partner.tryStartHedge(node.call().permit)).isNull();
        assertThat(partner.tryStartHedge(node.call().permit)).isEqualTo(HedgeResult.OVER_BUDGET);
    }

    @Test
    void aDestinationWithFewCallsGetsOneSecondAttemptInTenSeconds() {
        DestinationFixture node = new DestinationFixture(policy(0, "200ms", 5));
        Destination<FakePendingCall> partner = node.at("partner.example");
        respondTo(1, node, partner);
        assertThat(partner.tryStartHedge(node.call().permit)).isNull();

        node.advance(Duration.ofSeconds(9));
        respondTo(1, node, partner);
        assertThat(partner.tryStartHedge(node.call().permit)).isEqualTo(HedgeResult.OVER_BUDGET);

        node.advance(Duration.ofSeconds(1));
        assertThat(partner.tryStartHedge(node.call().permit)).isNull();
        assertThat(partner.tryStartHedge(node.call().permit)).isEqualTo(HedgeResult.OVER_BUDGET);
    }

    @Test
    void theMinimumIsNotAddedToThePercentage() {
        DestinationFixture node = new DestinationFixture(policy(0, "200ms", 5));
        Destination<FakePendingCall> partner = node.at("partner.example");
        respondTo(19, node, partner);
        assertThat(partner.tryStartHedge(node.call().permit)).isNull();

        respondTo(20, node, partner);
        assertThat(partner.tryStartHedge(node.call().permit)).isEqualTo(HedgeResult.OVER_BUDGET);

        respondTo(1, node, partner);
        assertThat(partner.tryStartHedge(node.call().permit)).isNull();
    }

    @Test
    void aRefusedSecondAttemptCostsNoBudget() {
        DestinationFixture node = new DestinationFixture(policy(1, "200ms", 5));
        Destination<FakePendingCall> partner = node.at("partner.example");
        respondTo(39, node, partner);
        FakePendingCall last = node.admitted(partner);
        assertThat(partner.tryStartHedge(node.call().permit)).isEqualTo(HedgeResult.SATURATED);
        assertThat(partner.tryStartHedge(node.call().permit)).isEqualTo(HedgeResult.SATURATED);

        last.respond(200);

        FakePendingCall first = node.call();
        assertThat(partner.tryStartHedge(first.permit)).isNull();
        first.permit.release();
        FakePendingCall second = node.call();
        assertThat(partner.tryStartHedge(second.permit)).isNull();
        second.permit.release();
        assertThat(partner.tryStartHedge(node.call().permit)).isEqualTo(HedgeResult.OVER_BUDGET);
    }

    @Test
    void showsTheDelayAndTheBudget() {
        DestinationFixture node = new DestinationFixture(policy(0, "p95", 5));
        Destination<FakePendingCall> partner = node.at("partner.example");
        assertThat(partner.status().hedge()).isEqualTo(new HedgeStatus("p95", null, 5));

        recordLatencies(partner, 100, 1);
        assertThat(partner.status().hedge()).isEqualTo(new HedgeStatus("p95", Duration.ofMillis(10), 5));

        node.updateDefaultPolicy(policy(0, "off", 5));
        assertThat(partner.status().hedge()).isNull();
    }

    @Test
    void thePercentileIsUnknownAtFirstAndNeverBelowTheMinimumDelay() {
        DestinationFixture node = new DestinationFixture(policy(0, "p95", 5));
        Destination<FakePendingCall> partner = node.at("partner.example");
        assertThat(partner.hedgeDelayNanos()).isNegative();

        recordLatencies(partner, 100, 1);
        assertThat(partner.hedgeDelayNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(10));

        recordLatencies(partner, 2_000, 80);
        assertThat(partner.hedgeDelayNanos())
                .isBetween(TimeUnit.MILLISECONDS.toNanos(80), TimeUnit.MILLISECONDS.toNanos(90));
    }

    @Test
    void aReloadTurnsSecondAttemptsOnAndOff() {
        DestinationFixture node = new DestinationFixture(policy(0, "off", 100));
        Destination<FakePendingCall> partner = node.at("partner.example");
        node.admitted(partner);
        assertThat(partner.hedgeDelayNanos()).isNegative();
        assertThat(partner.tryStartHedge(node.call().permit)).isEqualTo(HedgeResult.SATURATED);

        node.updateDefaultPolicy(policy(0, "200ms", 100));
        node.admitted(partner);
        assertThat(partner.hedgeDelayNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
        assertThat(partner.tryStartHedge(node.call().permit)).isNull();

        node.updateDefaultPolicy(policy(0, "off", 100));
        assertThat(partner.hedgeDelayNanos()).isNegative();
    }

    @Test
    void independentHostsAreNotHedged() {
        assertThat(policy(0, "p95", 5).forIndependentHosts().hedge().isEnabled())
                .isFalse();
    }

    private static void respondTo(int calls, DestinationFixture node, Destination<FakePendingCall> partner) {
        for (int i = 0; i < calls; i++) {
            node.admitted(partner).respond(200);
        }
    }

    private static void recordLatencies(Destination<FakePendingCall> partner, int count, long millis) {
        for (int i = 0; i < count; i++) {
            partner.recordHedgeableLatency(TimeUnit.MILLISECONDS.toNanos(millis));
        }
    }

    private static DestinationPolicy policy(int maxInFlight, String after, int budgetPercent) {
        return RecordCopy.with(
                DestinationFixture.policy(maxInFlight, 10, BreakerSettings.DEFAULTS),
                "hedge",
                new HedgeSettings(HedgeDelay.parse(after), budgetPercent, Duration.ofMillis(10)));
    }
}

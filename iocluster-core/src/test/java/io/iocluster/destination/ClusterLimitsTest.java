package io.iocluster.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.operator.OperatorAction.Limit;
import io.iocluster.destination.policy.AdaptiveConcurrencySettings;
import io.iocluster.destination.policy.ClusterShare;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.destination.policy.LimitScope;
import io.iocluster.settings.Rate;
import io.iocluster.testkit.record.RecordCopy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Limits that the nodes of a cluster divide. */
class ClusterLimitsTest {

    private static final Rate RATE = Rate.parse("200/s");

    private final DestinationFixture fixture = new DestinationFixture(divided(10, RATE));
    private final Destination<FakePendingCall> a = fixture.at("a.example");

    @Test
    void aNodeMayUseItsShareOnly() {
        fixture.registry.setClusterShare(new ClusterShare(4, 1));
        for (int i = 0; i < 3; i++) {
            fixture.admitted(a);
            fixture.advance(Duration.ofMillis(50));
        }

        assertThat(a.offer(fixture.call())).isEqualTo(Admission.QUEUED);
        assertThat(a.status().limit()).isEqualTo(3);
        assertThat(a.status().nodeRate()).isEqualTo("50/s");
        assertThat(a.status().attemptsPerSecond()).isEqualTo(50);
        assertThat(a.status().cluster()).isEqualTo(new ClusterLimits(4, 10, RATE));
    }

    @Test
    void noCallStartsWhileTheShareIsUnknown() {
        fixture.registry.setClusterShare(ClusterShare.UNKNOWN);
        FakePendingCall waiting = fixture.call();

        assertThat(a.offer(waiting)).isEqualTo(Admission.QUEUED);
        fixture.advance(Duration.ofMinutes(1));
        assertThat(fixture.started).isEmpty();
        assertThat(a.status().nodeRate()).isEqualTo("0/s");
        assertThat(a.status().attemptsPerSecond()).isZero();
        assertThat(a.status().cluster().nodes()).isZero();

        fixture.registry.setClusterShare(ClusterShare.WHOLE);
        fixture.advance(Duration.ofMillis(10));
        assertThat(fixture.started).containsExactly(waiting);
    }

    @Test
    void aFullQueueMakesTheSourceWaitForTheShareInsteadOfFailingCalls() {
        fixture.admitted(a).respond(200);
        fixture.advance(a.policy().timeout().plusMillis(1));
        fixture.registry.setClusterShare(ClusterShare.UNKNOWN);
        for (int i = 0; i < 10; i++) {
            assertThat(a.offer(fixture.call())).isEqualTo(Admission.QUEUED);
        }

        fixture.advance(Duration.ofSeconds(3));
        assertThat(a.offer(fixture.call())).isEqualTo(Admission.BACKPRESSURE);
        fixture.registry.setClusterShare(ClusterShare.WHOLE);
        fixture.advance(Duration.ofMillis(50));
        assertThat(fixture.started).isNotEmpty();
    }

    @Test
    void theSourceWaitsForTheShareNoLongerThanForASlowTarget() {
        fixture.registry.setClusterShare(ClusterShare.UNKNOWN);
        for (int i = 0; i < 10; i++) {
            a.offer(fixture.call());
        }
        fixture.advance(a.policy().timeout());
        assertThat(a.offer(fixture.call())).isEqualTo(Admission.BACKPRESSURE);

        fixture.advance(a.policy().timeout().plusMillis(1));

        assertThat(a.offer(fixture.call())).isEqualTo(Admission.QUEUE_FULL);
    }

    @Test
    void aFullQueueMakesTheSourceWaitForTheShareAtFirstEvenIfThatDelaysAnotherDestination() {
        DestinationFixture both = new DestinationFixture(
                divided(10, RATE),
                100,
                new DestinationSettings(
                        List.of("free.example"),
                        "free",
                        DestinationFixture.policy(10, 10, DestinationFixture.NO_BREAKER)));
        both.registry.setClusterShare(ClusterShare.UNKNOWN);
        Destination<FakePendingCall> divided = both.at("a.example");
        both.admitted(both.at("free.example")).respond(200);
        for (int i = 0; i < 10; i++) {
            assertThat(divided.offer(both.call())).isEqualTo(Admission.QUEUED);
        }

        both.advance(Duration.ofSeconds(1));
        assertThat(divided.offer(both.call())).isEqualTo(Admission.BACKPRESSURE);
        both.advance(Duration.ofSeconds(5));
        assertThat(divided.offer(both.call())).isEqualTo(Admission.BACKPRESSURE);
        both.advance(Duration.ofMillis(1));
        assertThat(divided.offer(both.call())).isEqualTo(Admission.QUEUE_FULL);
    }

    @Test
    void aFullQueueThatMustNotDelayOthersDoesNotWaitForTheShare() {
        DestinationFixture strict =
                new DestinationFixture(RecordCopy.with(divided(10, RATE), "backpressureTimeout", Duration.ZERO));
        strict.registry.setClusterShare(ClusterShare.UNKNOWN);
        for (int i = 0; i < 10; i++) {
            strict.at("a.example").offer(strict.call());
        }

        strict.advance(Duration.ofMillis(1));

        assertThat(strict.at("a.example").offer(strict.call())).isEqualTo(Admission.QUEUE_FULL);
    }

    @Test
    void aRetryAtADestinationWhoseEntryWasRemovedUsesTheLatestShare() {
        DestinationPolicy policy = divided(10, RATE);
        DestinationFixture reloaded = new DestinationFixture(
                policy, 100, new DestinationSettings(List.of("partner.example"), "partner", policy));
        Destination<FakePendingCall> partner = reloaded.at("partner.example");
        FakePendingCall call = reloaded.admitted(partner);
        reloaded.registry.setClusterShare(ClusterShare.UNKNOWN);
        reloaded.registry.updatePolicies(List.of(), policy);
        reloaded.registry.setClusterShare(new ClusterShare(2, 0));

        call.respond(503);
        partner.retry(call, Duration.ZERO);
        reloaded.advance(Duration.ofSeconds(1));

        assertThat(reloaded.started).containsExactly(call);
        assertThat(partner.status().nodeRate()).isEqualTo("100/s");
    }

    @Test
    void aDestinationThatWasForgottenBeforeItsFirstCallUsesTheLatestShare() {
        fixture.advance(Duration.ofSeconds(11));
        assertThat(fixture.at("a.example")).isNotSameAs(a);

        fixture.registry.setClusterShare(ClusterShare.UNKNOWN);

        assertThat(a.offer(fixture.call())).isEqualTo(Admission.QUEUED);
    }

    @Test
    void limitsOfEachNodeAreNotDivided() {
        fixture.updateDefaultPolicy(RecordCopy.with(divided(10, RATE), "maxInFlightPer", LimitScope.NODE));
        fixture.registry.setClusterShare(new ClusterShare(4, 0));

        assertThat(a.status().limit()).isEqualTo(10);
        assertThat(a.status().nodeRate()).isEqualTo("50/s");
        assertThat(a.status().cluster()).isEqualTo(new ClusterLimits(4, null, RATE));
        fixture.updateDefaultPolicy(DestinationFixture.policy(10, 10, DestinationFixture.NO_BREAKER));
        fixture.registry.setClusterShare(ClusterShare.UNKNOWN);
        assertThat(a.status().cluster()).isNull();
        fixture.admitted(a);
    }

    @Test
    void anOperatorsLimitHoldsForTheNode() {
        fixture.registry.setClusterShare(new ClusterShare(4, 0));

        fixture.act("a.example:443", new Limit(8, Rate.parse("90/s"), Duration.ofMinutes(1)));

        assertThat(a.status().limit()).isEqualTo(8);
        assertThat(a.status().nodeRate()).isEqualTo("90/s");
        assertThat(a.status().cluster()).isNull();
        fixture.advance(Duration.ofMinutes(1));
        assertThat(a.status().limit()).isEqualTo(3);
        assertThat(a.status().nodeRate()).isEqualTo("50/s");
    }

    @Test
    void anAdaptiveLimitKeepsItsValueBelowTheNewShare() {
        fixture.updateDefaultPolicy(RecordCopy.with(
                divided(40, Rate.UNLIMITED), "adaptiveConcurrency", new AdaptiveConcurrencySettings(true, 20, 1)));
        for (int i = 0; i < 100; i++) {
            fixture.admitted(a).respond(503);
        }
        int learned = a.status().limit();
        assertThat(learned).isLessThan(5);

        fixture.registry.setClusterShare(new ClusterShare(2, 0));

        assertThat(a.status().limit()).isEqualTo(learned);
    }

    @Test
    void anUnlimitedRateNeedsNoShare() {
        fixture.updateDefaultPolicy(divided(0, Rate.UNLIMITED));
        fixture.registry.setClusterShare(ClusterShare.UNKNOWN);

        fixture.admitted(a);
        assertThat(a.status().cluster()).isNull();
    }

    private static DestinationPolicy divided(int maxInFlight, Rate rate) {
        return RecordCopy.with(
                DestinationFixture.policy(
                        maxInFlight, 10, DestinationFixture.NO_BREAKER, rate, AdaptiveConcurrencySettings.DEFAULTS),
                "maxInFlightPer",
                LimitScope.CLUSTER,
                "ratePer",
                LimitScope.CLUSTER);
    }
}

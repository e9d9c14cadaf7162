package io.iocluster.destination;

import static io.iocluster.destination.DestinationFixture.NO_BREAKER;
import static io.iocluster.destination.DestinationFixture.policy;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DestinationRegistryTest {

    private static final DestinationPolicy WIDE = policy(0, 10, NO_BREAKER);
    private static final DestinationPolicy NARROW = policy(1, 10, NO_BREAKER);
    private static final DestinationSettings PARTNERS =
            new DestinationSettings(List.of("partner.example", "*.partner.example"), "partners", NARROW);

    @Test
    void usesOneDestinationForAllHostsOfAnEntryAndOneForEachOtherHost() {
        DestinationFixture fixture = new DestinationFixture(WIDE, 100, PARTNERS);

        assertThat(fixture.at("partner.example")).isSameAs(fixture.at("a.partner.example"));
        assertThat(fixture.at("partner.example").policy()).isEqualTo(NARROW);
        assertThat(fixture.at("a.example")).isSameAs(fixture.at("a.example")).isNotSameAs(fixture.at("b.example"));
        assertThat(fixture.registry.status())
                .extracting(DestinationStatus::name)
                .containsExactlyInAnyOrder("partners", "a.example:443", "b.example:443", "other");
    }

    @Test
    void usesOneDestinationForAllHostsBeyondTheLimitExceptThoseOfAnEntry() {
        DestinationFixture fixture = new DestinationFixture(WIDE, 2, PARTNERS);
        Destination<FakePendingCall> first = fixture.at("a.example");
        fixture.at("b.example");

        assertThat(fixture.at("c.example")).isSameAs(fixture.at("d.example"));
        assertThat(fixture.at("c.example").status().name()).isEqualTo("other");
        assertThat(fixture.at("a.example")).isSameAs(first);
        assertThat(fixture.at("x.partner.example").status().name()).isEqualTo("partners");
    }

    @Test
    void forgetsIdleDestinationsAndKeepsBusyOnes() {
        DestinationFixture fixture = new DestinationFixture(WIDE, 2);
        fixture.admitted(fixture.at("busy.example"));
        fixture.admitted(fixture.at("idle.example")).respond(200);

        fixture.advance(Duration.ofSeconds(61));

        assertThat(fixture.at("c.example").status().name()).isEqualTo("c.example:443");
        assertThat(fixture.at("busy.example").status().inFlight()).isEqualTo(1);
    }

    @Test
    void keepsANewDestinationUntilTheCallThatItWasCreatedForIsOffered() {
        DestinationFixture fixture = new DestinationFixture(WIDE);
        Destination<FakePendingCall> created = fixture.at("a.example");

        fixture.advance(Duration.ofSeconds(5));
        fixture.admitted(created);

        assertThat(fixture.at("a.example")).isSameAs(created);
        assertThat(fixture.registry.status())
                .extracting(DestinationStatus::name)
                .contains("a.example:443");
    }

    @Test
    void keepsAnIdleDestinationThatACallFoundUntilTheCallIsOffered() {
        DestinationFixture fixture = new DestinationFixture(WIDE);
        Destination<FakePendingCall> first = fixture.at("a.example");
        fixture.admitted(first).respond(200);
        fixture.advanceWithoutTick(Duration.ofSeconds(61));

        Destination<FakePendingCall> found = fixture.at("a.example");
        fixture.advance(Duration.ofMillis(100));
        fixture.admitted(found);

        assertThat(fixture.at("a.example")).isSameAs(found).isSameAs(first);
    }

    @Test
    void aCallGetsANewDestinationIfItsOwnIsForgottenInTheSameMoment() {
        DestinationFixture fixture = new DestinationFixture(WIDE);
        Destination<FakePendingCall> first = fixture.at("a.example");
        fixture.admitted(first).respond(200);
        fixture.advanceWithoutTick(Duration.ofSeconds(61));

        fixture.onNextClockReading(() -> fixture.advance(Duration.ofMillis(100)));
        Destination<FakePendingCall> found = fixture.at("a.example");

        assertThat(found).isNotSameAs(first).isSameAs(fixture.at("a.example"));
    }

    @Test
    void forgetsANewDestinationThatNoCallIsOfferedTo() {
        DestinationFixture fixture = new DestinationFixture(WIDE);
        fixture.at("a.example");

        fixture.advance(Duration.ofSeconds(11));

        assertThat(fixture.registry.status())
                .extracting(DestinationStatus::name)
                .containsExactly("other");
    }

    @Test
    void keepsTheStateOfDestinationsThatGetAnotherPolicy() {
        DestinationFixture fixture = new DestinationFixture(NARROW, 100, PARTNERS);
        Destination<FakePendingCall> partners = fixture.at("partner.example");
        Destination<FakePendingCall> a = fixture.at("a.example");
        fixture.admitted(partners);
        fixture.admitted(a);
        FakePendingCall waiting = fixture.call();
        a.offer(waiting);

        fixture.registry.updatePolicies(
                List.of(new DestinationSettings(List.of("partner.example"), "partners", WIDE)), WIDE);
        fixture.advance(Duration.ofMillis(10));

        assertThat(fixture.at("partner.example")).isSameAs(partners);
        assertThat(fixture.at("a.example")).isSameAs(a);
        assertThat(partners.status().inFlight()).isEqualTo(1);
        assertThat(fixture.started).containsExactly(waiting);
        assertThat(fixture.at("x.partner.example").status().name()).isEqualTo("x.partner.example:443");
    }

    @Test
    void servesTheQueueOfAnEntryThatWasRemoved() {
        DestinationFixture fixture = new DestinationFixture(WIDE, 100, PARTNERS);
        fixture.node.freeSlots = 0;
        FakePendingCall waiting = fixture.call();
        fixture.at("partner.example").offer(waiting);

        fixture.registry.updatePolicies(List.of(), WIDE);
        fixture.node.freeSlots = 1;
        fixture.advance(Duration.ofMillis(10));

        assertThat(fixture.started).containsExactly(waiting);
    }

    @Test
    void queuesAndStartsNoCallAfterItIsClosed() {
        DestinationFixture fixture = new DestinationFixture(NARROW);
        Destination<FakePendingCall> a = fixture.at("a.example");
        FakePendingCall running = fixture.admitted(a);
        FakePendingCall waiting = fixture.call();
        a.offer(waiting);

        assertThat(fixture.registry.close()).containsExactly(waiting);
        running.respond(503);

        assertThat(fixture.grantNext(a)).isNull();
        assertThat(a.retry(running, Duration.ZERO)).isFalse();
        assertThat(a.offer(fixture.call())).isEqualTo(Admission.BACKPRESSURE);
        assertThat(fixture.at("b.example").offer(fixture.call())).isEqualTo(Admission.BACKPRESSURE);
    }
}

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
        DestinationFixture scene = new DestinationFixture(WIDE, 100, PARTNERS);

        assertThat(scene.at("partner.example")).isSameAs(scene.at("a.partner.example"));
        assertThat(scene.at("partner.example").policy()).isEqualTo(NARROW);
        assertThat(scene.at("a.example")).isSameAs(scene.at("a.example")).isNotSameAs(scene.at("b.example"));
        assertThat(scene.registry.status())
                .extracting(DestinationStatus::name)
                .containsExactlyInAnyOrder("partners", "a.example:443", "b.example:443", "other");
    }

    @Test
    void usesOneDestinationForAllHostsBeyondTheLimitExceptThoseOfAnEntry() {
        DestinationFixture scene = new DestinationFixture(WIDE, 2, PARTNERS);
        Destination<FakePendingCall> first = scene.at("a.example");
        scene.at("b.example");

        assertThat(scene.at("c.example")).isSameAs(scene.at("d.example"));
        assertThat(scene.at("c.example").status().name()).isEqualTo("other");
        assertThat(scene.at("a.example")).isSameAs(first);
        assertThat(scene.at("x.partner.example").status().name()).isEqualTo("partners");
    }

    @Test
    void forgetsIdleDestinationsAndKeepsBusyOnes() {
        DestinationFixture scene = new DestinationFixture(WIDE, 2);
        scene.admitted(scene.at("busy.example"));
        scene.admitted(scene.at("idle.example")).respond(200);

        scene.advance(Duration.ofSeconds(61));

        assertThat(scene.at("c.example").status().name()).isEqualTo("c.example:443");
        assertThat(scene.at("busy.example").status().inFlight()).isEqualTo(1);
    }

    @Test
    void keepsTheStateOfDestinationsThatGetAnotherPolicy() {
        DestinationFixture scene = new DestinationFixture(NARROW, 100, PARTNERS);
        Destination<FakePendingCall> partners = scene.at("partner.example");
        Destination<FakePendingCall> a = scene.at("a.example");
        scene.admitted(partners);
        scene.admitted(a);
        FakePendingCall waiting = scene.call();
        a.offer(waiting);

        scene.registry.updatePolicies(
                List.of(new DestinationSettings(List.of("partner.example"), "partners", WIDE)), WIDE);
        scene.advance(Duration.ofMillis(10));

        assertThat(scene.at("partner.example")).isSameAs(partners);
        assertThat(scene.at("a.example")).isSameAs(a);
        assertThat(partners.status().inFlight()).isEqualTo(1);
        assertThat(scene.started).containsExactly(waiting);
        assertThat(scene.at("x.partner.example").status().name()).isEqualTo("x.partner.example:443");
    }

    @Test
    void servesTheQueueOfAnEntryThatWasRemoved() {
        DestinationFixture scene = new DestinationFixture(WIDE, 100, PARTNERS);
        FakePendingCall running = scene.admitted(scene.at("partner.example"));
        FakePendingCall waiting = scene.call();
        scene.at("partner.example").offer(waiting);

        scene.registry.updatePolicies(List.of(), WIDE);
        running.respond(200);
        scene.advance(Duration.ofMillis(10));

        assertThat(scene.started).containsExactly(waiting);
    }

    @Test
    void queuesAndStartsNoCallAfterItIsClosed() {
        DestinationFixture scene = new DestinationFixture(NARROW);
        Destination<FakePendingCall> a = scene.at("a.example");
        FakePendingCall running = scene.admitted(a);
        FakePendingCall waiting = scene.call();
        a.offer(waiting);

        assertThat(scene.registry.close()).containsExactly(waiting);
        running.respond(503);

        assertThat(a.grantNext()).isNull();
        assertThat(a.retry(running, Duration.ZERO)).isFalse();
        assertThat(a.offer(scene.call())).isEqualTo(Admission.BACKPRESSURE);
        assertThat(scene.at("b.example").offer(scene.call())).isEqualTo(Admission.BACKPRESSURE);
    }
}

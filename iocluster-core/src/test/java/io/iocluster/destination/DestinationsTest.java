package io.iocluster.destination;

import static io.iocluster.destination.DestinationsScene.NO_BREAKER;
import static io.iocluster.destination.DestinationsScene.policy;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DestinationsTest {

    private static final DestinationPolicy WIDE = policy(0, 10, NO_BREAKER);
    private static final DestinationPolicy NARROW = policy(1, 10, NO_BREAKER);
    private static final DestinationSettings PARTNERS =
            new DestinationSettings(List.of("partner.example", "*.partner.example"), "partners", NARROW);

    @Test
    void isOneForAllHostsOfAnEntryAndOneForEachOtherHost() {
        DestinationsScene scene = new DestinationsScene(WIDE, 100, PARTNERS);

        assertThat(scene.at("partner.example")).isSameAs(scene.at("a.partner.example"));
        assertThat(scene.at("partner.example").policy()).isEqualTo(NARROW);
        assertThat(scene.at("a.example")).isSameAs(scene.at("a.example")).isNotSameAs(scene.at("b.example"));
        assertThat(scene.all.status())
                .extracting(DestinationStatus::name)
                .containsExactlyInAnyOrder("partners", "a.example:443", "b.example:443", "other");
    }

    @Test
    void isOneForAllBeyondTheBoundButStillTheEntrysForItsHosts() {
        DestinationsScene scene = new DestinationsScene(WIDE, 2, PARTNERS);
        Destination<FakeCall> first = scene.at("a.example");
        scene.at("b.example");

        assertThat(scene.at("c.example")).isSameAs(scene.at("d.example"));
        assertThat(scene.at("c.example").status().name()).isEqualTo("other");
        assertThat(scene.at("a.example")).isSameAs(first);
        assertThat(scene.at("x.partner.example").status().name()).isEqualTo("partners");
    }

    @Test
    void forgetsWhatNobodyCallsButNothingThatIsBusy() {
        DestinationsScene scene = new DestinationsScene(WIDE, 2);
        scene.admitted(scene.at("busy.example"));
        scene.admitted(scene.at("idle.example")).respond(200);

        scene.turn(Duration.ofSeconds(61));

        assertThat(scene.at("c.example").status().name()).isEqualTo("c.example:443");
        assertThat(scene.at("busy.example").status().inFlight()).isEqualTo(1);
    }

    @Test
    void keepsTheStateOfWhatGoesOnUnderAnotherPolicy() {
        DestinationsScene scene = new DestinationsScene(NARROW, 100, PARTNERS);
        Destination<FakeCall> partners = scene.at("partner.example");
        Destination<FakeCall> a = scene.at("a.example");
        scene.admitted(partners);
        scene.admitted(a);
        FakeCall waiting = scene.call();
        a.arrive(waiting);

        scene.all.replace(List.of(new DestinationSettings(List.of("partner.example"), "partners", WIDE)), WIDE);
        scene.turn(Duration.ofMillis(10));

        assertThat(scene.at("partner.example")).isSameAs(partners);
        assertThat(scene.at("a.example")).isSameAs(a);
        assertThat(partners.status().inFlight()).isEqualTo(1);
        assertThat(scene.begun).containsExactly(waiting);
        assertThat(scene.at("x.partner.example").status().name()).isEqualTo("x.partner.example:443");
    }

    @Test
    void servesTheLineOfAnEntryThatWasTakenAway() {
        DestinationsScene scene = new DestinationsScene(WIDE, 100, PARTNERS);
        FakeCall running = scene.admitted(scene.at("partner.example"));
        FakeCall waiting = scene.call();
        scene.at("partner.example").arrive(waiting);

        scene.all.replace(List.of(), WIDE);
        running.respond(200);
        scene.turn(Duration.ofMillis(10));

        assertThat(scene.begun).containsExactly(waiting);
    }

    @Test
    void letsNothingWaitAndNothingBeginOnceItIsClosed() {
        DestinationsScene scene = new DestinationsScene(NARROW);
        Destination<FakeCall> a = scene.at("a.example");
        FakeCall running = scene.admitted(a);
        FakeCall waiting = scene.call();
        a.arrive(waiting);

        assertThat(scene.all.close()).containsExactly(waiting);
        running.respond(503);

        assertThat(a.next()).isNull();
        assertThat(a.retry(running, Duration.ZERO)).isFalse();
        assertThat(a.arrive(scene.call())).isEqualTo(Arrival.AGAIN);
        assertThat(scene.at("b.example").arrive(scene.call())).isEqualTo(Arrival.AGAIN);
    }
}

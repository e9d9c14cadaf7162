package io.iocluster.destination;

import static io.iocluster.destination.DestinationsScene.policy;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.message.ErrorCode;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BreakerTest {

    private static final BreakerSettings QUICK =
            new BreakerSettings(true, 50, 10, 4, Duration.ofSeconds(5), Duration.ofSeconds(8), 2);

    private final DestinationsScene scene = new DestinationsScene(policy(0, 10, QUICK));
    private final Destination<FakeCall> a = scene.at("a.example");

    @ParameterizedTest
    @EnumSource(
            value = ErrorCode.class,
            names = {"DNS_FAILED", "CONNECT_TIMEOUT", "CONNECT_REFUSED", "TLS", "TIMEOUT", "CONNECTION_CLOSED"})
    void opensWhenTheNetworkFails(ErrorCode code) {
        for (int i = 0; i < 4; i++) {
            scene.admitted(a).fail(code);
        }

        assertThat(a.status().breaker()).isEqualTo(BreakerState.OPEN);
        assertThat(a.arrive(scene.call())).isEqualTo(Arrival.WAITS);
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 503, 504})
    void opensWhenTheTargetFails(int status) {
        for (int i = 0; i < 4; i++) {
            scene.admitted(a).respond(status);
        }

        assertThat(a.status().breaker()).isEqualTo(BreakerState.OPEN);
    }

    @Test
    void staysClosedWhateverTheSenderDoesWrong() {
        for (int i = 0; i < 20; i++) {
            scene.admitted(a).respond(404);
            scene.admitted(a).respond(429);
            scene.admitted(a).fail(ErrorCode.ADDRESS_NOT_ALLOWED);
            scene.admitted(a).fail(ErrorCode.OUT_OF_MEMORY_BUDGET);
        }

        assertThat(a.status().breaker()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void letsProbesThroughAndServesTheLineWhenTheySucceed() {
        open();
        for (int i = 0; i < 5; i++) {
            a.arrive(scene.call());
        }

        scene.turn(Duration.ofMillis(5_001));
        assertThat(scene.begun).hasSize(2);
        assertThat(a.status().breaker()).isEqualTo(BreakerState.HALF_OPEN);
        scene.begun.forEach(probe -> probe.respond(200));
        scene.turn(Duration.ofMillis(10));

        assertThat(a.status().breaker()).isEqualTo(BreakerState.CLOSED);
        assertThat(scene.begun).hasSize(5);
    }

    @Test
    void staysOpenForTwiceAsLongWhenTheProbesFailButNeverTooLong() {
        open();
        a.arrive(scene.call());
        a.arrive(scene.call());
        a.arrive(scene.call());
        scene.turn(Duration.ofMillis(5_001));
        scene.begun.forEach(probe -> probe.respond(500));
        assertThat(a.status().breaker()).isEqualTo(BreakerState.OPEN);

        scene.turn(Duration.ofSeconds(8));
        assertThat(scene.begun).hasSize(2);
        scene.turn(Duration.ofMillis(1));

        assertThat(scene.begun).hasSize(3);
    }

    @Test
    void makesAnotherProbeForOneThatWasAbandoned() {
        open();
        a.arrive(scene.call());
        a.arrive(scene.call());
        a.arrive(scene.call());
        scene.turn(Duration.ofMillis(5_001));
        assertThat(scene.begun).hasSize(2);

        scene.begun.get(0).pass.abandon();

        assertThat(a.next()).isNotNull();
    }

    @Test
    void isNotMovedByCallsThatBeganBeforeItOpened() {
        FakeCall late = scene.admitted(a);
        FakeCall later = scene.admitted(a);
        open();
        a.arrive(scene.call());
        scene.turn(Duration.ofMillis(5_001));
        assertThat(a.status().breaker()).isEqualTo(BreakerState.HALF_OPEN);

        late.respond(500);
        later.pass.abandon();
        scene.begun.get(0).respond(200);
        scene.admitted(a).respond(200);

        assertThat(a.status().breaker()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void isTheReasonWhyAFullLineTurnsCallsAway() {
        open();
        for (int i = 0; i < 10; i++) {
            assertThat(a.arrive(scene.call())).isEqualTo(Arrival.WAITS);
        }

        scene.turn(Duration.ofMillis(201));

        assertThat(a.arrive(scene.call())).isEqualTo(Arrival.BREAKER_OPEN);
    }

    private void open() {
        for (int i = 0; i < 4; i++) {
            scene.admitted(a).respond(500);
        }
        assertThat(a.status().breaker()).isEqualTo(BreakerState.OPEN);
    }
}

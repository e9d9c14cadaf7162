package io.iocluster.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.destination.policy.DestinationPolicy;
import org.junit.jupiter.api.Test;

class CallPermitTest {

    private final DestinationFixture scene = new DestinationFixture(DestinationPolicy.DEFAULTS);
    private final Destination<FakePendingCall> partner = scene.at("partner.example");

    @Test
    void returnsEverySlotIfTheCallEndsWhileItsDestinationGrantsThePermit() {
        FakePendingCall call = scene.call();
        scene.node.beforeSlot = () -> call.permit.tryEnd();

        assertThat(partner.offer(call)).isNotEqualTo(Admission.ADMITTED);

        assertThat(scene.grantNext(partner)).isNull();
        assertThat(partner.status().inFlight()).isZero();
        assertThat(scene.node.takenSlots).isZero();
    }

    @Test
    void returnsEverySlotIfTheCallEndsRightAfterTheGrant() {
        FakePendingCall call = scene.admitted(partner);

        assertThat(call.permit.tryEnd()).isTrue();

        assertThat(partner.status().inFlight()).isZero();
        assertThat(scene.node.takenSlots).isZero();
        assertThat(call.permit.tryEnd()).isFalse();
    }

    @Test
    void isNotGrantedTwiceOrAfterItsEnd() {
        FakePendingCall running = scene.admitted(partner);
        FakePendingCall ended = scene.call();
        ended.permit.release();

        partner.offer(running);
        partner.offer(ended);
        assertThat(scene.grantNext(partner)).isNull();

        assertThat(partner.status().inFlight()).isEqualTo(1);
        assertThat(scene.node.takenSlots).isEqualTo(1);
        running.permit.release();
        assertThat(partner.status().inFlight()).isZero();
        assertThat(scene.node.takenSlots).isZero();
    }

    @Test
    void releasesEverythingEvenIfTheEndOfTheCallThrows() {
        FakePendingCall call = scene.admitted(partner);
        scene.node.callEndedDefect = new IllegalStateException("cannot be told");

        assertThatThrownBy(call.permit::release).isSameAs(scene.node.callEndedDefect);

        assertThat(call.permit.isReleased()).isTrue();
        assertThat(scene.node.released).isEqualTo(1);
        assertThat(scene.node.takenSlots).isZero();
    }

    @Test
    void releasesTheRunningAttemptTogetherWithEverythingElse() {
        FakePendingCall call = scene.admitted(partner);

        call.permit.release();
        call.respond(200);

        assertThat(call.permit.isReleased()).isTrue();
        assertThat(partner.status().inFlight()).isZero();
        assertThat(scene.node.takenSlots).isZero();
    }
}

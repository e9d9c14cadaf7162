package io.iocluster.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.destination.policy.DestinationPolicy;
import org.junit.jupiter.api.Test;

class CallPermitTest {

    private final DestinationFixture fixture = new DestinationFixture(DestinationPolicy.DEFAULTS);
    private final Destination<FakePendingCall> partner = fixture.at("partner.example");

    @Test
    void returnsEverySlotIfTheCallEndsWhileItsDestinationGrantsThePermit() {
        FakePendingCall call = fixture.call();
        fixture.node.beforeSlot = () -> call.permit.tryEnd();

        assertThat(partner.offer(call)).isNotEqualTo(Admission.ADMITTED);

        assertThat(fixture.grantNext(partner)).isNull();
        assertThat(partner.status().inFlight()).isZero();
        assertThat(fixture.node.takenSlots).isZero();
    }

    @Test
    void isNotGrantedTwiceOrAfterItsEnd() {
        FakePendingCall running = fixture.admitted(partner);
        FakePendingCall ended = fixture.call();
        ended.permit.release();

        partner.offer(running);
        partner.offer(ended);
        assertThat(fixture.grantNext(partner)).isNull();

        assertThat(partner.status().inFlight()).isEqualTo(1);
        assertThat(fixture.node.takenSlots).isEqualTo(1);
        running.permit.release();
        assertThat(partner.status().inFlight()).isZero();
        assertThat(fixture.node.takenSlots).isZero();
    }

    @Test
    void releasesEverythingEvenIfTheEndOfTheCallThrows() {
        FakePendingCall call = fixture.admitted(partner);
        fixture.node.callEndedDefect = new IllegalStateException("test defect");

        assertThatThrownBy(call.permit::release).isSameAs(fixture.node.callEndedDefect);

        assertThat(call.permit.isReleased()).isTrue();
        assertThat(fixture.node.released).isEqualTo(1);
        assertThat(fixture.node.takenSlots).isZero();
    }
}

package io.iocluster.destination;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that a call gets a slot that becomes free while the call is queued, without a tick. */
class SlotHandoverTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void aSlotThatBecomesFreeWhileACallIsQueuedGoesToThatCall(int read) {
        DestinationFixture fixture =
                new DestinationFixture(DestinationFixture.policy(0, 100, DestinationFixture.NO_BREAKER));
        Destination<FakePendingCall> busy = fixture.at("busy.example");
        Destination<FakePendingCall> other = fixture.at("other.example");
        FakePendingCall ends = fixture.admitted(busy);
        fixture.admitted(other).respond(200);
        fixture.node.freeSlots = 0;
        AtomicInteger reads = new AtomicInteger();
        fixture.node.afterFreeSlots = () -> {
            if (reads.incrementAndGet() == read) {
                ends.respond(200);
                busy.dispatchWaiting();
            }
        };

        other.offer(fixture.call());

        assertThat(reads).hasValueGreaterThanOrEqualTo(read);
        assertThat(other.status().inFlight()).isEqualTo(1);
    }
}

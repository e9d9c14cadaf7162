package io.iocluster.pipeline.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.CallPermit;
import io.iocluster.destination.PermitGrants;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class InFlightWindowTest {

    private final AtomicInteger capacityAvailable = new AtomicInteger();
    private final InFlightWindow window = new InFlightWindow(2, 1, 10, 1_000, capacityAvailable::incrementAndGet);

    @Test
    void countsACallAsWaitingUntilItHasASlotAndAsUnconfirmedAfterItsEnd() {
        CallPermit permit = window.tryAcquire(100);
        assertThat(window.waiting()).isEqualTo(1);

        assertThat(PermitGrants.tryStart(permit)).isTrue();
        assertThat(window.inFlight()).isEqualTo(1);
        assertThat(window.waiting()).isZero();
        permit.tryEnd();

        assertThat(window.inFlight()).isZero();
        assertThat(window.unconfirmed()).isEqualTo(1);
        permit.release();
        permit.release();
        assertThat(window.held()).isZero();
        assertThat(window.unconfirmed()).isZero();
        assertThat(window.bytes()).isZero();
        assertThat(window.duplicateReleases()).isEqualTo(1);
    }

    @Test
    void startsNoQueuedCallWhileTooManyAnswersAreUnconfirmed() {
        CallPermit ended = window.tryAcquire(100);
        CallPermit waiting = window.tryAcquire(100);
        PermitGrants.markQueued(waiting);
        PermitGrants.tryStart(ended);
        ended.tryEnd();

        assertThat(PermitGrants.tryStart(waiting)).isFalse();
        ended.release();

        assertThat(PermitGrants.tryStart(waiting)).isTrue();
    }

    @Test
    void startsAnAcceptedCallEvenIfTooManyAnswersAreUnconfirmedMeanwhile() {
        CallPermit ended = window.tryAcquire(100);
        CallPermit takenIn = window.tryAcquire(100);
        PermitGrants.tryStart(ended);
        ended.tryEnd();

        assertThat(PermitGrants.tryStart(takenIn)).isTrue();
    }

    @Test
    void aSecondAttemptTakesASlotAndBytesButIsNoCall() {
        CallPermit permit = window.tryAcquire(100);
        PermitGrants.tryStart(permit);
        CallPermit hedge = permit.forHedge();

        assertThat(PermitGrants.tryStart(hedge)).isTrue();
        assertThat(hedge.tryReserve(500)).isTrue();
        assertThat(window.inFlight()).isEqualTo(2);
        assertThat(window.held()).isEqualTo(1);
        assertThat(window.waiting()).isZero();
        assertThat(window.bytes()).isEqualTo(600);

        hedge.release();
        assertThat(window.inFlight()).isEqualTo(1);
        assertThat(window.unconfirmed()).isZero();
        assertThat(window.settledCalls()).isZero();
        assertThat(window.bytes()).isEqualTo(100);
    }

    @Test
    void theAnswerOfASecondAttemptReplacesThatOfTheFirstUntilTheCallIsReleased() {
        CallPermit permit = window.tryAcquire(100);
        PermitGrants.tryStart(permit);
        CallPermit hedge = permit.forHedge();
        PermitGrants.tryStart(hedge);
        permit.tryReserve(300);
        hedge.tryReserve(500);

        permit.replaceAnswer(hedge);

        assertThat(window.inFlight()).isEqualTo(1);
        assertThat(window.bytes()).isEqualTo(600);
        permit.tryEnd();
        permit.release();
        assertThat(window.bytes()).isZero();
        assertThat(window.held()).isZero();
        assertThat(window.duplicateReleases()).isZero();
    }

    @Test
    void pausesIntakeAndStartsUntilItIsResumed() {
        CallPermit early = window.tryAcquire(100);
        CallPermit late = window.tryAcquire(100);

        window.pauseIntake();
        assertThat(window.tryAcquire(100)).isNull();
        assertThat(PermitGrants.tryStart(early)).isTrue();
        window.pauseStarts();
        assertThat(PermitGrants.tryStart(late)).isFalse();
        assertThat(window.maxInFlight()).isEqualTo(2);
        window.resume();

        assertThat(PermitGrants.tryStart(late)).isTrue();
        assertThat(capacityAvailable).hasValue(1);
    }

    @Test
    void startsACallOnlyWhenThereIsRoomForItsAnswer() {
        CallPermit open = window.tryAcquire(100);
        PermitGrants.tryStart(open);
        open.tryReserve(500);
        CallPermit waiting = window.tryAcquire(100);
        waiting.requireAnswerHeadroom(310);

        assertThat(PermitGrants.tryStart(waiting)).isFalse();
        open.tryEnd();
        open.release();

        assertThat(PermitGrants.tryStart(waiting)).isTrue();
        assertThat(window.bytes()).isEqualTo(100);
    }

    @Test
    void startsTheOnlyCallEvenIfThereIsNoRoomForItsAnswer() {
        CallPermit permit = window.tryAcquire(900);
        permit.requireAnswerHeadroom(310);

        assertThat(PermitGrants.tryStart(permit)).isTrue();
    }

    @Test
    void limitsTheRoomThatEachCallInFlightKeepsForItsAnswer() {
        assertThat(window.answerHeadroom(10_000)).isEqualTo(312);
        assertThat(window.answerHeadroom(200)).isEqualTo(200);
    }

    @Test
    void reservesBytesToEncodeOnlyBeyondTheAnswerHeadroomOfCallsInFlight() {
        CallPermit open = window.tryAcquire(10);
        open.requireAnswerHeadroom(300);
        PermitGrants.tryStart(open);
        CallPermit ended = window.tryAcquire(10);
        ended.tryEnd();

        assertThat(ended.tryReserveToEncode(700)).isFalse();
        assertThat(ended.tryReserveToEncode(600)).isTrue();
        assertThat(open.tryReserve(300)).isTrue();
        open.tryEnd();
        assertThat(ended.tryReserveToEncode(80)).isTrue();
    }

    @Test
    void takesNothingForACallThatDoesNotStart() {
        PermitGrants.tryStart(window.tryAcquire(100));

        assertThat(window.tryAcquireSlot(false, 500, 600)).isFalse();
        assertThat(window.tryAcquireSlot(false, 950, 10)).isFalse();

        assertThat(window.bytes()).isEqualTo(100);
        assertThat(window.keptHeadroom()).isZero();
        assertThat(window.inFlight()).isEqualTo(1);
    }

    @Test
    void signalsNoCapacityWhenACallIsWithdrawn() {
        CallPermit permit = window.tryAcquire(100);

        permit.withdraw();
        permit.withdraw();

        assertThat(window.held()).isZero();
        assertThat(window.bytes()).isZero();
        assertThat(capacityAvailable).hasValue(0);
    }

    @Test
    void addsNoBytesToAReleasedCall() {
        CallPermit over = window.tryAcquire(100);
        over.release();
        CallPermit branch = window.acquireBranch();
        CallPermit whole = window.tryAcquire(100);
        branch.tryReserve(50);
        whole.absorb(branch);

        assertThat(over.tryReserve(200)).isFalse();
        assertThat(branch.tryReserve(200)).isFalse();

        whole.release();
        assertThat(window.bytes()).isZero();
    }
}

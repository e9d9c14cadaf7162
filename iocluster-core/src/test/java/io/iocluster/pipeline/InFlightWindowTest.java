package io.iocluster.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class InFlightWindowTest {

    private final AtomicInteger roomFreed = new AtomicInteger();
    private final InFlightWindow window = new InFlightWindow(2, 1, 10, 1_000, roomFreed::incrementAndGet);

    @Test
    void countsACallAsWaitingUntilItHasAPlaceAndAsUnconfirmedOnceItEnded() {
        CallPermit permit = window.tryAcquire(100);
        assertThat(window.waiting()).isEqualTo(1);

        assertThat(permit.tryAcquireSlot()).isTrue();
        assertThat(window.inFlight()).isEqualTo(1);
        assertThat(window.waiting()).isZero();
        permit.endCall();

        assertThat(window.inFlight()).isZero();
        assertThat(window.unconfirmed()).isEqualTo(1);
        permit.release();
        permit.release();
        assertThat(window.held()).isZero();
        assertThat(window.unconfirmed()).isZero();
        assertThat(window.bytes()).isZero();
    }

    @Test
    void letsNoCallOfALineBeginWhileTooManyAnswersAreUnconfirmed() {
        CallPermit ended = window.tryAcquire(100);
        CallPermit waiting = window.tryAcquire(100);
        waiting.markQueued();
        ended.tryAcquireSlot();
        ended.endCall();

        assertThat(waiting.tryAcquireSlot()).isFalse();
        ended.release();

        assertThat(waiting.tryAcquireSlot()).isTrue();
    }

    @Test
    void letsACallBeginThatWasTakenInThoughManyAnswersAreUnconfirmedMeanwhile() {
        CallPermit ended = window.tryAcquire(100);
        CallPermit takenIn = window.tryAcquire(100);
        ended.tryAcquireSlot();
        ended.endCall();

        assertThat(takenIn.tryAcquireSlot()).isTrue();
    }

    @Test
    void holdsNoMoreThanTheEnvelopesBytesForACallThatLeavesItsPlace() {
        CallPermit permit = window.tryAcquire(100);
        permit.tryAcquireSlot();
        permit.tryReserve(500);

        permit.releaseSlot();

        assertThat(window.bytes()).isEqualTo(100);
        assertThat(window.inFlight()).isZero();
        assertThat(roomFreed).hasValue(1);
        permit.release();
        assertThat(window.bytes()).isZero();
    }

    @Test
    void givesNoPlaceToACallThatHasEnded() {
        CallPermit permit = window.tryAcquire(100);
        permit.endCall();
        permit.release();

        assertThat(permit.tryAcquireSlot()).isFalse();
        assertThat(window.inFlight()).isZero();
    }

    @Test
    void letsNothingInAndThenNothingBeginUntilItIsOpened() {
        CallPermit early = window.tryAcquire(100);
        CallPermit late = window.tryAcquire(100);

        window.pauseIntake();
        assertThat(window.tryAcquire(100)).isNull();
        assertThat(early.tryAcquireSlot()).isTrue();
        window.pauseStarts();
        assertThat(late.tryAcquireSlot()).isFalse();
        assertThat(window.maxInFlight()).isEqualTo(2);
        window.resume();

        assertThat(late.tryAcquireSlot()).isTrue();
        assertThat(roomFreed).hasValue(1);
    }

    @Test
    void startsACallOnlyWhenThereIsRoomForItsAnswer() {
        CallPermit open = window.tryAcquire(100);
        open.tryAcquireSlot();
        open.tryReserve(500);
        CallPermit waiting = window.tryAcquire(100);
        waiting.keepRoomForAnswer(310);

        assertThat(waiting.tryAcquireSlot()).isFalse();
        open.endCall();
        open.release();

        assertThat(waiting.tryAcquireSlot()).isTrue();
        assertThat(window.bytes()).isEqualTo(100);
    }

    @Test
    void startsACallThatIsAloneAlthoughThereIsNoRoomForItsAnswer() {
        CallPermit permit = window.tryAcquire(900);
        permit.keepRoomForAnswer(310);

        assertThat(permit.tryAcquireSlot()).isTrue();
    }

    @Test
    void keepsRoomForEachOpenCallHoweverLargeAnAnswerMayBe() {
        assertThat(window.answerRoom(10_000)).isEqualTo(312);
        assertThat(window.answerRoom(200)).isEqualTo(200);
    }

    @Test
    void encodesOnlyWhatLeavesOpenCallsRoomForTheirAnswers() {
        CallPermit open = window.tryAcquire(10);
        open.keepRoomForAnswer(300);
        open.tryAcquireSlot();
        CallPermit ended = window.tryAcquire(10);
        ended.endCall();

        assertThat(ended.tryTakeToEncode(700)).isFalse();
        assertThat(ended.tryTakeToEncode(600)).isTrue();
        assertThat(open.tryReserve(300)).isTrue();
        open.endCall();
        assertThat(ended.tryTakeToEncode(80)).isTrue();
    }

    @Test
    void tellsNobodyOfACallThatItsSourceKeeps() {
        CallPermit permit = window.tryAcquire(100);

        permit.withdraw();
        permit.withdraw();

        assertThat(window.held()).isZero();
        assertThat(window.bytes()).isZero();
        assertThat(roomFreed).hasValue(0);
    }

    @Test
    void takesNoBytesForACallThatIsOverBecauseNobodyWouldGiveThemBack() {
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

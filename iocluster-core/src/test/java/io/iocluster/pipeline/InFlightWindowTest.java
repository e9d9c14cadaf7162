package io.iocluster.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class InFlightWindowTest {

    private final AtomicInteger roomFreed = new AtomicInteger();
    private final InFlightWindow window = new InFlightWindow(2, 1, 10, 1_000, roomFreed::incrementAndGet);

    @Test
    void countsACallAsWaitingUntilItHasAPlaceAndAsUnconfirmedOnceItEnded() {
        Permit permit = window.tryAcquire(100);
        assertThat(window.waiting()).isEqualTo(1);

        assertThat(permit.tryTakePlace()).isTrue();
        assertThat(window.calls()).isEqualTo(1);
        assertThat(window.waiting()).isZero();
        permit.callEnded();

        assertThat(window.calls()).isZero();
        assertThat(window.unconfirmed()).isEqualTo(1);
        permit.giveBack();
        permit.giveBack();
        assertThat(window.held()).isZero();
        assertThat(window.unconfirmed()).isZero();
        assertThat(window.bytes()).isZero();
    }

    @Test
    void letsNoCallOfALineBeginWhileTooManyAnswersAreUnconfirmed() {
        Permit ended = window.tryAcquire(100);
        Permit waiting = window.tryAcquire(100);
        waiting.waits();
        ended.tryTakePlace();
        ended.callEnded();

        assertThat(waiting.tryTakePlace()).isFalse();
        ended.giveBack();

        assertThat(waiting.tryTakePlace()).isTrue();
    }

    @Test
    void letsACallBeginThatWasTakenInThoughManyAnswersAreUnconfirmedMeanwhile() {
        Permit ended = window.tryAcquire(100);
        Permit takenIn = window.tryAcquire(100);
        ended.tryTakePlace();
        ended.callEnded();

        assertThat(takenIn.tryTakePlace()).isTrue();
    }

    @Test
    void holdsNoMoreThanTheEnvelopesBytesForACallThatLeavesItsPlace() {
        Permit permit = window.tryAcquire(100);
        permit.tryTakePlace();
        permit.tryTake(500);

        permit.leavePlace();

        assertThat(window.bytes()).isEqualTo(100);
        assertThat(window.calls()).isZero();
        assertThat(roomFreed).hasValue(1);
        permit.giveBack();
        assertThat(window.bytes()).isZero();
    }

    @Test
    void givesNoPlaceToACallThatHasEnded() {
        Permit permit = window.tryAcquire(100);
        permit.callEnded();
        permit.giveBack();

        assertThat(permit.tryTakePlace()).isFalse();
        assertThat(window.calls()).isZero();
    }

    @Test
    void letsNothingInAndThenNothingBeginUntilItIsOpened() {
        Permit early = window.tryAcquire(100);
        Permit late = window.tryAcquire(100);

        window.shut();
        assertThat(window.tryAcquire(100)).isNull();
        assertThat(early.tryTakePlace()).isTrue();
        window.hold();
        assertThat(late.tryTakePlace()).isFalse();
        assertThat(window.maxCalls()).isEqualTo(2);
        window.open();

        assertThat(late.tryTakePlace()).isTrue();
        assertThat(roomFreed).hasValue(1);
    }

    @Test
    void startsACallOnlyWhenThereIsRoomForItsAnswer() {
        Permit open = window.tryAcquire(100);
        open.tryTakePlace();
        open.tryTake(500);
        Permit waiting = window.tryAcquire(100);
        waiting.keepRoomForAnswer(310);

        assertThat(waiting.tryTakePlace()).isFalse();
        open.callEnded();
        open.giveBack();

        assertThat(waiting.tryTakePlace()).isTrue();
        assertThat(window.bytes()).isEqualTo(100);
    }

    @Test
    void startsACallThatIsAloneAlthoughThereIsNoRoomForItsAnswer() {
        Permit permit = window.tryAcquire(900);
        permit.keepRoomForAnswer(310);

        assertThat(permit.tryTakePlace()).isTrue();
    }

    @Test
    void keepsRoomForEachOpenCallHoweverLargeAnAnswerMayBe() {
        assertThat(window.answerRoom(10_000)).isEqualTo(312);
        assertThat(window.answerRoom(200)).isEqualTo(200);
    }

    @Test
    void encodesOnlyWhatLeavesOpenCallsRoomForTheirAnswers() {
        Permit open = window.tryAcquire(10);
        open.keepRoomForAnswer(300);
        open.tryTakePlace();
        Permit ended = window.tryAcquire(10);
        ended.callEnded();

        assertThat(ended.tryTakeToEncode(700)).isFalse();
        assertThat(ended.tryTakeToEncode(600)).isTrue();
        assertThat(open.tryTake(300)).isTrue();
        open.callEnded();
        assertThat(ended.tryTakeToEncode(80)).isTrue();
    }

    @Test
    void tellsNobodyOfACallThatItsSourceKeeps() {
        Permit permit = window.tryAcquire(100);

        permit.withdraw();
        permit.withdraw();

        assertThat(window.held()).isZero();
        assertThat(window.bytes()).isZero();
        assertThat(roomFreed).hasValue(0);
    }

    @Test
    void takesNoBytesForACallThatIsOverBecauseNobodyWouldGiveThemBack() {
        Permit over = window.tryAcquire(100);
        over.giveBack();
        Permit branch = window.acquireBranch();
        Permit whole = window.tryAcquire(100);
        branch.tryTake(50);
        whole.absorb(branch);

        assertThat(over.tryTake(200)).isFalse();
        assertThat(branch.tryTake(200)).isFalse();

        whole.giveBack();
        assertThat(window.bytes()).isZero();
    }
}

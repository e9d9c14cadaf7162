package io.iocluster.testkit.chaos.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.testkit.chaos.CallKind;
import io.iocluster.testkit.chaos.ChaosPlan;
import io.iocluster.testkit.chaos.PlannedCall;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CallLedgerTest {

    private static final PlannedCall FIRST = new PlannedCall("c1-1", 0, CallKind.OK, false, 0, true);
    private static final PlannedCall SECOND = new PlannedCall("c1-2", 0, CallKind.OK, false, 0, true);
    private static final ObservedAnswer ANSWER = new ObservedAnswer("answered", null, 1, 0, 0);

    private final CallLedger ledger = new CallLedger(new ChaosPlan(1, List.of(), List.of(FIRST, SECOND)));

    @Test
    void knowsWhatHappenedToEachCall() {
        ledger.sent(FIRST);
        ledger.sent(FIRST);
        ledger.answered("c1-1", ANSWER);
        ledger.deadLettered("c1-1");

        assertThat(ledger.histories(Map.of("c1-1", 4)))
                .containsExactlyInAnyOrder(
                        new CallHistory(FIRST, 2, false, 4, List.of(ANSWER), 1),
                        new CallHistory(SECOND, 0, false, 0, List.of(), 0));
    }

    @Test
    void ignoresTheCallsOfOtherPlans() {
        ledger.answered("c0-1", ANSWER);
        ledger.deadLettered("c0-1");

        assertThat(ledger.histories(Map.of("c0-1", 1))).allMatch(call -> call.results() == 0);
    }

    @Test
    void forgivesAMissingAnswerOnlyToCallsThatWereSentBeforeTheReplyPlaceWasDeleted() {
        ledger.sent(FIRST);
        ledger.replyPlaceDeleted();
        ledger.sent(SECOND);

        assertThat(ledger.histories(Map.of()))
                .filteredOn(CallHistory::answerMayBeDeleted)
                .extracting(CallHistory::call)
                .containsExactly(FIRST);
    }
}

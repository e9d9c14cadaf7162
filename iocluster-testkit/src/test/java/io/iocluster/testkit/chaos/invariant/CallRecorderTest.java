package io.iocluster.testkit.chaos.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.testkit.chaos.CallKind;
import io.iocluster.testkit.chaos.ChaosPlan;
import io.iocluster.testkit.chaos.PlannedCall;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CallRecorderTest {

    private static final PlannedCall FIRST = new PlannedCall("c1-1", 0, CallKind.OK, false, 0, true);
    private static final PlannedCall SECOND = new PlannedCall("c1-2", 0, CallKind.OK, false, 0, true);
    private static final ObservedAnswer ANSWER = new ObservedAnswer("answered", null, 1, 0, 0);

    private final CallRecorder recorder = new CallRecorder(new ChaosPlan(1, List.of(), List.of(FIRST, SECOND)));

    @Test
    void recordsTheEventsOfEachCall() {
        recorder.recordSent(FIRST);
        recorder.recordSent(FIRST);
        recorder.recordAnswer("c1-1", ANSWER);
        recorder.recordDeadLetter("c1-1");

        assertThat(recorder.histories(Map.of("c1-1", new ObservedRequests(4, 1))))
                .containsExactlyInAnyOrder(
                        new CallHistory(FIRST, 2, false, new ObservedRequests(4, 1), List.of(ANSWER), 1),
                        new CallHistory(SECOND, 0, false, ObservedRequests.NONE, List.of(), 0));
    }

    @Test
    void ignoresCallsOfOtherPlans() {
        recorder.recordAnswer("c0-1", ANSWER);
        recorder.recordDeadLetter("c0-1");

        assertThat(recorder.histories(Map.of("c0-1", new ObservedRequests(1, 0))))
                .allMatch(call -> call.resultCount() == 0);
    }

    @Test
    void onlyCallsSentBeforeTheReplyToIsDeletedMayLackAnAnswer() {
        recorder.recordSent(FIRST);
        recorder.recordReplyToDeleted();
        recorder.recordSent(SECOND);

        assertThat(recorder.histories(Map.of()))
                .filteredOn(CallHistory::mayBeDeleted)
                .extracting(CallHistory::call)
                .containsExactly(FIRST);
    }
}

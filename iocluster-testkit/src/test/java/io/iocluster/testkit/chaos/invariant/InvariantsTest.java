package io.iocluster.testkit.chaos.invariant;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.testkit.chaos.CallKind;
import io.iocluster.testkit.chaos.ChaosPlan;
import io.iocluster.testkit.chaos.ChaosPlan.ScheduledFault;
import io.iocluster.testkit.chaos.Fault;
import io.iocluster.testkit.chaos.PlannedCall;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each invariant fails for its own reason only. */
class InvariantsTest {

    private static final DuplicateRules RULES = new DuplicateRules(3, 6_000, true, false, true);
    private static final IdleNodeStatus IDLE = new IdleNodeStatus("node-1", true, Map.of("inFlight", 0L));
    private static final ObservedAnswer ANSWER = new ObservedAnswer("answered", null, 1, 5, 20);
    private static final PlannedCall CALL = call(CallKind.OK, 1_000, false);
    private static final PlannedCall WITH_REPLY_TO = call(CallKind.OK, 0, true);
    private static final PlannedCall MALFORMED = call(CallKind.MALFORMED, 0, false);

    @Test
    void hasNoViolationIfEachCallIsAnsweredOnce() {
        assertThat(violations(history(CALL, 1, 1, 0, ANSWER), history(MALFORMED, 1, 0, 1)))
                .isEmpty();
    }

    @Test
    void aCallWithoutAnAnswerIsAViolation() {
        assertThat(violations(history(CALL, 1, 1, 0))).containsExactly("every call is answered");
    }

    @Test
    void aCallThatWasNotSentNeedsNoAnswer() {
        assertThat(violations(history(CALL, 0, 0, 0))).isEmpty();
    }

    @Test
    void anAnswerMayBeLostOnlyIfItsReplyToIsDeleted() {
        CallHistory deleted = new CallHistory(WITH_REPLY_TO, 1, true, new ObservedRequests(1, 0), List.of(), 0);
        CallHistory sentLater = new CallHistory(WITH_REPLY_TO, 1, false, new ObservedRequests(1, 0), List.of(), 0);

        assertThat(violations(List.of(new Fault.DeleteReplyTo()), deleted)).isEmpty();
        assertThat(violations(List.of(new Fault.DeleteReplyTo()), sentLater)).containsExactly("every call is answered");
    }

    @Test
    void anIdempotentRequestMayBeSentTwiceIfTheTargetClosesAUsedConnection() {
        PlannedCall get = new PlannedCall("c", 0, CallKind.RESET, false, 0, false);
        PlannedCall post = new PlannedCall("c", 0, CallKind.RESET, true, 0, false);
        PlannedCall answered = new PlannedCall("c", 0, CallKind.OK, false, 0, false);
        String violation = "HTTP requests of one call are bounded";

        assertThat(violations(requested(get, 6, 3))).isEmpty();
        assertThat(violations(requested(get, 7, 7))).containsExactly(violation);
        assertThat(violations(requested(post, 4, 4))).containsExactly(violation);
        assertThat(violations(requested(answered, 4, 4))).containsExactly(violation);
    }

    @Test
    void aRequestOnANewConnectionIsNotSentAgainInTheSameAttempt() {
        PlannedCall get = new PlannedCall("c", 0, CallKind.RESET, false, 0, false);

        assertThat(violations(requested(get, 4, 1))).isEmpty();
        assertThat(violations(requested(get, 4, 0))).containsExactly("HTTP requests of one call are bounded");
        assertThat(violations(requested(get, 6, 2))).containsExactly("HTTP requests of one call are bounded");
    }

    @Test
    void allowsASecondAnswerIfThePartitionMovesWhileTheReplyToIsDeleted() {
        List<Fault> deletedAndMoved = List.of(new Fault.DeleteReplyTo(), new Fault.ChurnConsumers(1, 600));

        assertThat(violations(deletedAndMoved, history(WITH_REPLY_TO, 1, 6, 0, ANSWER, ANSWER)))
                .isEmpty();
        assertThat(violations(deletedAndMoved, history(WITH_REPLY_TO, 1, 7, 0, ANSWER)))
                .containsExactly("HTTP requests of one call are bounded");
        assertThat(violations(deletedAndMoved, history(WITH_REPLY_TO, 1, 2, 0, ANSWER, ANSWER, ANSWER)))
                .containsExactly("answers of one call are bounded", "duplicates are bounded");
        assertThat(violations(deletedAndMoved, history(CALL, 1, 2, 0, ANSWER, ANSWER)))
                .containsExactly("answers of one call are bounded", "duplicates are bounded");
    }

    @Test
    void anAnsweredMalformedMessageIsAViolation() {
        assertThat(violations(history(MALFORMED, 1, 1, 0, ANSWER)))
                .containsExactly("a message becomes a dead letter if it cannot be read, or its replyTo was deleted");
    }

    @Test
    void aDeadLetterIsAViolationUnlessItsReplyToIsDeleted() {
        assertThat(violations(history(CALL, 1, 1, 1))).hasSize(1);
        assertThat(violations(history(WITH_REPLY_TO, 1, 1, 1))).hasSize(1);
        assertThat(violations(List.of(new Fault.DeleteReplyTo()), history(WITH_REPLY_TO, 1, 1, 1)))
                .isEmpty();
    }

    @Test
    void aSecondAnswerWithoutAFaultIsAViolation() {
        assertThat(violations(history(CALL, 1, 1, 0, ANSWER, ANSWER)))
                .containsExactly("answers of one call are bounded", "duplicates are bounded");
    }

    @Test
    void aSecondAnswerIsAllowedForASecondMessage() {
        assertThat(violations(history(CALL, 2, 2, 0, ANSWER, ANSWER))).isEmpty();
    }

    @Test
    void aKilledNodeAllowsOneDuplicateForEachCallThatItHeld() {
        List<Fault> killed = List.of(new Fault.KillNode(0, 0));
        CallHistory twice = history(CALL, 1, 6, 0, ANSWER, ANSWER);

        assertThat(violations(killed, twice, twice, twice)).isEmpty();
        assertThat(violations(killed, twice, twice, twice, twice)).containsExactly("duplicates are bounded");
        assertThat(violations(killed, history(CALL, 1, 1, 0, ANSWER, ANSWER, ANSWER)))
                .containsExactly("answers of one call are bounded");
    }

    @Test
    void moreRequestsThanAttemptsIsAViolation() {
        assertThat(violations(history(CALL, 1, 3, 0, ANSWER))).isEmpty();
        assertThat(violations(history(CALL, 1, 4, 0, ANSWER))).containsExactly("HTTP requests of one call are bounded");
    }

    @Test
    void anAnswerWithoutARequestIsAViolation() {
        assertThat(violations(history(CALL, 1, 0, 0, ANSWER))).containsExactly("an answered call was made");
    }

    @Test
    void aCallMayOutliveItsDeadlineByOneSecond() {
        assertThat(violations(history(CALL, 1, 1, 0, answerAfter(100, 1_900)))).isEmpty();
        assertThat(violations(history(CALL, 1, 1, 0, answerAfter(100, 1_901))))
                .containsExactly("no call outlives its deadline");
    }

    @Test
    void suspendedTimeIsAddedToTheDeadline() {
        List<Fault> suspended = List.of(new Fault.SuspendNode(0, 500));

        assertThat(violations(suspended, history(CALL, 1, 1, 0, answerAfter(100, 2_400))))
                .isEmpty();
        assertThat(violations(suspended, history(CALL, 1, 1, 0, answerAfter(100, 2_401))))
                .hasSize(1);
    }

    @Test
    void theDefaultDeadlineStartsWhenTheCallIsRead() {
        PlannedCall withoutDeadline = call(CallKind.OK, 0, false);

        assertThat(violations(history(withoutDeadline, 1, 1, 0, answerAfter(9_000, 5_000))))
                .isEmpty();
        assertThat(violations(history(withoutDeadline, 1, 1, 0, answerAfter(9_000, 5_001))))
                .hasSize(1);
    }

    @Test
    void anInternalErrorIsAViolation() {
        assertThat(violations(history(CALL, 1, 1, 0, new ObservedAnswer("failed", "internal", 1, 5, 20))))
                .containsExactly("no call ends with internal");
    }

    @Test
    void aNodeThatIsNotReadyIsAViolation() {
        assertThat(violations(new IdleNodeStatus("node-2", false, Map.of()), 0))
                .containsExactly("both nodes are ready");
    }

    @Test
    void aCounterAboveZeroIsAViolation() {
        assertThat(violations(new IdleNodeStatus("node-2", true, Map.of("waiting", 1L)), 0))
                .containsExactly("every counter is zero at rest");
        assertThat(violations(new IdleNodeStatus("node-2", true, Map.of("waiting", -1L)), 0))
                .containsExactly("every counter is zero at rest");
    }

    @Test
    void anOpenRequestAtATargetIsAViolation() {
        assertThat(violations(IDLE, 1)).containsExactly("no request is open at rest");
    }

    @Test
    void aViolationNamesTheCalls() {
        Violation violation = Invariants.check(run(List.of(), List.of(history(CALL, 1, 1, 0)), IDLE, 0))
                .get(0);

        assertThat(violation).hasToString("every call is answered: no answer and no dead letter ids=1 [c1-1]");
    }

    private static List<String> violations(CallHistory... calls) {
        return violations(List.of(), calls);
    }

    private static List<String> violations(List<Fault> faults, CallHistory... calls) {
        return names(run(faults, List.of(calls), IDLE, 0));
    }

    private static List<String> violations(IdleNodeStatus second, int openRequests) {
        return names(run(List.of(), List.of(), second, openRequests));
    }

    private static List<String> names(ChaosRunResult run) {
        return Invariants.check(run).stream().map(Violation::invariant).toList();
    }

    private static ChaosRunResult run(
            List<Fault> faults, List<CallHistory> calls, IdleNodeStatus second, int openRequests) {
        List<ScheduledFault> steps =
                faults.stream().map(fault -> new ScheduledFault(0, fault)).toList();
        return new ChaosRunResult(
                new ChaosPlan(1, steps, List.of()), calls, List.of(IDLE, second), RULES, 4_000, 1_000, 3, openRequests);
    }

    private static PlannedCall call(CallKind kind, int deadlineMillis, boolean usesReplyTo) {
        return new PlannedCall("c1-1", 0, kind, false, deadlineMillis, usesReplyTo);
    }

    private static CallHistory history(
            PlannedCall call, int copies, int requests, int deadLetters, ObservedAnswer... answers) {
        return new CallHistory(call, copies, false, new ObservedRequests(requests, 0), List.of(answers), deadLetters);
    }

    private static CallHistory requested(PlannedCall call, int requests, int onUsedConnections) {
        return new CallHistory(call, 1, false, new ObservedRequests(requests, onUsedConnections), List.of(ANSWER), 0);
    }

    private static ObservedAnswer answerAfter(long queuedMillis, long totalMillis) {
        return new ObservedAnswer("answered", null, 1, queuedMillis, totalMillis);
    }
}

package io.iocluster.testkit.chaos.invariant;

import io.iocluster.testkit.chaos.CallKind;
import io.iocluster.testkit.chaos.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The promises that hold at the end of every run. Has no state. */
public final class Invariants {

    private static final List<Function<ChaosRunResult, List<Violation>>> ALL = List.of(
            Invariants::everyCallIsAnswered,
            Invariants::malformedMessagesAreDeadLetters,
            Invariants::answersAreBounded,
            Invariants::requestsAreBounded,
            Invariants::duplicatesAreBounded,
            Invariants::answeredCallsWereMade,
            Invariants::noCallOutlivesItsDeadline,
            Invariants::noCallEndsWithInternal,
            Invariants::nodesAreReady,
            Invariants::countersAreZero,
            Invariants::noRequestIsOpen);

    private Invariants() {}

    /** Returns what is violated, the most basic promise first. */
    public static List<Violation> check(ChaosRunResult evidence) {
        return ALL.stream().flatMap(check -> check.apply(evidence).stream()).toList();
    }

    static List<Violation> everyCallIsAnswered(ChaosRunResult evidence) {
        return of(evidence, "every call is answered", "no answer and no dead letter", call -> !call.isSettled());
    }

    static List<Violation> malformedMessagesAreDeadLetters(ChaosRunResult evidence) {
        return of(
                evidence,
                "a message becomes a dead letter if it cannot be read, or its reply place is gone",
                "answered instead, or a dead letter for another reason",
                call -> isMalformed(call)
                        ? !call.answers().isEmpty()
                        : call.deadLetters() > 0 && !mayLoseItsReplyPlace(evidence, call));
    }

    static List<Violation> answersAreBounded(ChaosRunResult evidence) {
        int most = 1 + evidence.duplicateRules().allowedFor(evidence.plan()).answers();
        return of(
                evidence,
                "answers of one call are bounded",
                "more than " + most + " for each message sent",
                call -> call.resultCount() > call.messagesSent() * most);
    }

    static List<Violation> requestsAreBounded(ChaosRunResult evidence) {
        int executions =
                1 + evidence.duplicateRules().allowedFor(evidence.plan()).executions();
        return of(
                evidence,
                "HTTP requests of one call are bounded",
                "more than " + executions + " times its attempts",
                call -> call.requests() > call.messagesSent() * executions * attempts(evidence, call));
    }

    static List<Violation> duplicatesAreBounded(ChaosRunResult evidence) {
        int most = evidence.duplicateRules().allowedFor(evidence.plan()).total();
        int repeated = evidence.duplicates();
        return repeated <= most
                ? List.of()
                : List.of(new Violation("repeats are bounded", "repeated=" + repeated + " most=" + most, List.of()));
    }

    static List<Violation> answeredCallsWereMade(ChaosRunResult evidence) {
        return of(
                evidence,
                "an answered call was made",
                "answered, and no target saw a request",
                call -> call.requests() == 0
                        && call.answers().stream()
                                .anyMatch(answer -> answer.outcome().equals("answered")));
    }

    static List<Violation> noCallOutlivesItsDeadline(ChaosRunResult evidence) {
        long allowed = evidence.toleranceMillis() + suspended(evidence);
        long latest = evidence.calls().stream()
                .mapToLong(call -> lateness(evidence, call))
                .max()
                .orElse(0);
        return of(
                evidence,
                "no call outlives its deadline",
                "latest=" + latest + "ms allowed=" + allowed + "ms",
                call -> lateness(evidence, call) > allowed);
    }

    static List<Violation> noCallEndsWithInternal(ChaosRunResult evidence) {
        return of(
                evidence,
                "no call ends with internal",
                "internal",
                call -> call.answers().stream().anyMatch(answer -> "internal".equals(answer.code())));
    }

    static List<Violation> nodesAreReady(ChaosRunResult evidence) {
        return evidence.nodes().stream()
                .filter(node -> !node.ready())
                .map(node -> new Violation("both nodes are ready", node.node() + " is not", List.of()))
                .toList();
    }

    static List<Violation> countersAreZero(ChaosRunResult evidence) {
        List<Violation> violations = new ArrayList<>();
        for (IdleNodeStatus node : evidence.nodes()) {
            List<String> held = node.counters().entrySet().stream()
                    .filter(counter -> counter.getValue() != 0)
                    .map(counter -> counter.getKey() + "=" + counter.getValue())
                    .sorted()
                    .toList();
            if (!held.isEmpty()) {
                violations.add(new Violation(
                        "every counter is zero at rest", node.node() + " " + String.join(" ", held), List.of()));
            }
        }
        return violations;
    }

    static List<Violation> noRequestIsOpen(ChaosRunResult evidence) {
        int open = evidence.openRequests();
        return open == 0 ? List.of() : List.of(new Violation("no request is open at rest", "open=" + open, List.of()));
    }

    /** Returns by how many milliseconds the call's last answer came after its deadline; negative if it was in time. */
    private static long lateness(ChaosRunResult evidence, CallHistory call) {
        int named = call.call().deadlineMillis();
        // A deadline of the call's own counts from when it was queued, and the node's from when it was read.
        return call.answers().stream()
                .mapToLong(answer -> answer.totalMillis()
                        - (named > 0 ? Math.max(0, named - answer.queuedMillis()) : evidence.nodeDeadlineMillis()))
                .max()
                .orElse(Long.MIN_VALUE);
    }

    private static long suspended(ChaosRunResult evidence) {
        return evidence.plan().scheduledFaults().stream()
                .flatMap(step ->
                        step.fault() instanceof Fault.SuspendNode suspend ? Stream.of(suspend.millis()) : Stream.of())
                .mapToLong(Integer::longValue)
                .sum();
    }

    private static int attempts(ChaosRunResult evidence, CallHistory call) {
        return evidence.maxAttempts() * call.call().kind().branches();
    }

    private static boolean mayLoseItsReplyPlace(ChaosRunResult evidence, CallHistory call) {
        return call.call().usesReplyTo() && evidence.plan().hasFault(Fault.DeleteReplyTo.class);
    }

    private static boolean isMalformed(CallHistory call) {
        return call.call().kind() == CallKind.MALFORMED;
    }

    private static List<Violation> of(
            ChaosRunResult evidence, String invariant, String facts, Predicate<CallHistory> isViolated) {
        List<String> ids = evidence.calls().stream()
                .filter(isViolated)
                .map(call -> call.call().id())
                .sorted()
                .toList();
        return ids.isEmpty() ? List.of() : List.of(new Violation(invariant, facts, ids));
    }
}

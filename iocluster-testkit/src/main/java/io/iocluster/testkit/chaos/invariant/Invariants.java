package io.iocluster.testkit.chaos.invariant;

import io.iocluster.testkit.chaos.CallKind;
import io.iocluster.testkit.chaos.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The guarantees that hold at the end of every run. Stateless. */
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

    /** Returns the violations, the most basic guarantee first. */
    public static List<Violation> check(ChaosRunResult run) {
        return ALL.stream().flatMap(check -> check.apply(run).stream()).toList();
    }

    static List<Violation> everyCallIsAnswered(ChaosRunResult run) {
        return of(run, "every call is answered", "no answer and no dead letter", call -> !call.isSettled());
    }

    static List<Violation> malformedMessagesAreDeadLetters(ChaosRunResult run) {
        return of(
                run,
                "a message becomes a dead letter if it cannot be read, or its replyTo was deleted",
                "answered instead, or a dead letter for another reason",
                call -> isMalformed(call)
                        ? !call.answers().isEmpty()
                        : call.deadLetters() > 0 && !mayLoseReplyTo(run, call));
    }

    static List<Violation> answersAreBounded(ChaosRunResult run) {
        int max = 1 + run.duplicateRules().allowedFor(run.plan()).answers();
        return of(
                run,
                "answers of one call are bounded",
                "more than " + max + " for each message sent, or one more if it outlasted a revocation",
                call -> call.resultCount() > call.messagesSent() * max + duplicatesOfRevocation(run, call));
    }

    static List<Violation> requestsAreBounded(ChaosRunResult run) {
        int executions = 1 + run.duplicateRules().allowedFor(run.plan()).executions();
        return of(
                run,
                "HTTP requests of one call are bounded",
                "more than " + executions + " times its attempts, or once more if it outlasted a revocation",
                call -> call.requests().count() > maxRequests(run, call, executions));
    }

    static List<Violation> duplicatesAreBounded(ChaosRunResult run) {
        int max = run.duplicateRules().allowedFor(run.plan()).total();
        int duplicates = run.calls().stream()
                .mapToInt(call -> Math.max(0, call.duplicates() - duplicatesOfRevocation(run, call)))
                .sum();
        return duplicates <= max
                ? List.of()
                : List.of(
                        new Violation("duplicates are bounded", "duplicates=" + duplicates + " max=" + max, List.of()));
    }

    static List<Violation> answeredCallsWereMade(ChaosRunResult run) {
        return of(
                run,
                "an answered call was made",
                "answered, but no target received a request",
                call -> call.requests().count() == 0
                        && call.answers().stream()
                                .anyMatch(answer -> answer.outcome().equals("answered")));
    }

    static List<Violation> noCallOutlivesItsDeadline(ChaosRunResult run) {
        long allowed = run.toleranceMillis() + suspendedMillis(run);
        long latest = run.calls().stream()
                .mapToLong(call -> lateness(run, call))
                .max()
                .orElse(0);
        return of(
                run,
                "no call outlives its deadline",
                "latest=" + latest + "ms allowed=" + allowed + "ms",
                call -> lateness(run, call) > allowed);
    }

    static List<Violation> noCallEndsWithInternal(ChaosRunResult run) {
        return of(
                run,
                "no call ends with internal",
                "internal",
                call -> call.answers().stream().anyMatch(answer -> "internal".equals(answer.code())));
    }

    static List<Violation> nodesAreReady(ChaosRunResult run) {
        return run.nodes().stream()
                .filter(node -> !node.ready())
                .map(node -> new Violation("both nodes are ready", node.node() + " is not ready", List.of()))
                .toList();
    }

    static List<Violation> countersAreZero(ChaosRunResult run) {
        List<Violation> violations = new ArrayList<>();
        for (IdleNodeStatus node : run.nodes()) {
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

    static List<Violation> noRequestIsOpen(ChaosRunResult run) {
        int open = run.openRequests();
        return open == 0 ? List.of() : List.of(new Violation("no request is open at rest", "open=" + open, List.of()));
    }

    /** Returns the time from the call's deadline to its last answer in milliseconds; negative if it was in time. */
    private static long lateness(ChaosRunResult run, CallHistory call) {
        int callDeadline = call.call().deadlineMillis();
        // A call's own deadline starts when it is queued; the node's default starts when the call is read.
        return call.answers().stream()
                .mapToLong(answer -> answer.totalMillis()
                        - (callDeadline > 0
                                ? Math.max(0, callDeadline - answer.queuedMillis())
                                : run.nodeDeadlineMillis()))
                .max()
                .orElse(Long.MIN_VALUE);
    }

    private static long suspendedMillis(ChaosRunResult run) {
        return run.plan().scheduledFaults().stream()
                .flatMap(scheduled -> scheduled.fault() instanceof Fault.SuspendNode suspend
                        ? Stream.of(suspend.millis())
                        : Stream.of())
                .mapToLong(Integer::longValue)
                .sum();
    }

    /** Returns how often the targets may receive the requests of a call. An attempt sends a second one only after one on a used connection. */
    private static int maxRequests(ChaosRunResult run, CallHistory call, int executions) {
        int attempts = (call.messagesSent() * executions + duplicatesOfRevocation(run, call))
                * run.maxAttempts()
                * call.call().kind().branches();
        int resent =
                call.call().mayBeResent() ? Math.min(attempts, call.requests().onUsedConnections()) : 0;
        return attempts + resent;
    }

    /** Returns how often a call may be made and answered again because it outlasted the revocation of its partition. */
    private static int duplicatesOfRevocation(ChaosRunResult run, CallHistory call) {
        return run.duplicateRules().mayOutlastRevocation(run.plan(), call.call()) ? call.messagesSent() : 0;
    }

    private static boolean mayLoseReplyTo(ChaosRunResult run, CallHistory call) {
        return call.call().usesReplyTo() && run.plan().hasFault(Fault.DeleteReplyTo.class);
    }

    private static boolean isMalformed(CallHistory call) {
        return call.call().kind() == CallKind.MALFORMED;
    }

    private static List<Violation> of(
            ChaosRunResult run, String invariant, String facts, Predicate<CallHistory> isViolated) {
        List<String> ids = run.calls().stream()
                .filter(isViolated)
                .map(call -> call.call().id())
                .sorted()
                .toList();
        return ids.isEmpty() ? List.of() : List.of(new Violation(invariant, facts, ids));
    }
}

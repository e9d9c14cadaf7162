package io.iocluster.node.chaos;

import io.iocluster.testkit.chaos.ChaosPlan;
import io.iocluster.testkit.chaos.invariant.CallHistory;
import io.iocluster.testkit.chaos.invariant.ChaosRunResult;
import io.iocluster.testkit.chaos.invariant.Invariants;
import io.iocluster.testkit.chaos.invariant.Violation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The report of a run.
 *
 * @param suspects the first calls of the violations
 * @param notes what went wrong with faults themselves, which is no violation
 * @param settling the part of {@code took} after the last fault
 * @param logs the folder with the nodes' logs
 */
record ChaosReport(
        ChaosPlan plan,
        int calls,
        int answers,
        int deadLetters,
        int repeated,
        List<Violation> violations,
        List<CallHistory> suspects,
        List<String> notes,
        Duration took,
        Duration settling,
        Path logs) {

    private static final int SUSPECTS_SHOWN = 10;

    static final String HEADER = "   seed   calls  answers  dead  repeated  seconds  settling  verdict  faults";

    static ChaosReport of(ChaosRunResult evidence, List<String> notes, Duration took, Duration settling, Path logs) {
        List<CallHistory> calls = evidence.calls();
        List<Violation> violations = Invariants.check(evidence);
        Set<String> suspects = violations.stream()
                .flatMap(violation -> violation.ids().stream())
                .limit(SUSPECTS_SHOWN)
                .collect(Collectors.toSet());
        return new ChaosReport(
                evidence.plan(),
                calls.size(),
                calls.stream().mapToInt(call -> call.answers().size()).sum(),
                calls.stream().mapToInt(CallHistory::deadLetters).sum(),
                evidence.duplicates(),
                violations,
                calls.stream()
                        .filter(call -> suspects.contains(call.call().id()))
                        .toList(),
                List.copyOf(notes),
                took,
                settling,
                logs);
    }

    boolean isGood() {
        return violations.isEmpty();
    }

    /** Returns a line of the table below {@link #HEADER}, and one for each note. */
    String line() {
        return String.format(
                Locale.ROOT,
                "%7d  %6d  %7d  %4d  %8d  %7.1f  %8.1f  %-7s  %s",
                plan.seed(),
                calls,
                answers,
                deadLetters,
                repeated,
                took.toMillis() / 1e3,
                settling.toMillis() / 1e3,
                isGood() ? "ok" : "FAILED",
                plan.scheduledFaults().stream()
                                .map(scheduled -> scheduled.fault().kind().label())
                                .collect(Collectors.joining(" "))
                        + (isGood()
                                ? ""
                                : "\n         violated: " + violations.get(0).invariant())
                        + notes.stream().map(note -> "\n         note: " + note).collect(Collectors.joining()));
    }

    /** Returns the details of a failure. */
    String report(String replay) {
        return "seed " + plan.seed() + " violated " + violations.size() + " invariants\n"
                + lines(
                        "violations, the first is the most basic",
                        violations.stream().map(Violation::toString).toList())
                + "schedule\n" + plan.describe().indent(2)
                + lines(
                        "calls concerned",
                        suspects.stream().map(CallHistory::toString).toList())
                + lines("notes", notes)
                + "logs of the nodes: " + logs.toAbsolutePath() + ", from the line \"---- seed " + plan.seed() + "\"\n"
                + "replay: " + replay;
    }

    private static String lines(String title, List<String> lines) {
        return lines.isEmpty()
                ? ""
                : title + "\n"
                        + lines.stream().collect(Collectors.joining("\n")).indent(2);
    }
}

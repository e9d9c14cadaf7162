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
 * @param contention how many times its CPU time a busy thread took in the worst second
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
        double contention,
        Path logs) {

    private static final int SUSPECTS_SHOWN = 10;

    /**
     * From this contention on, a violation may come from the machine: what a node does in a second takes three, so a call with a deadline
     * of 4 s may outlast the 5 s that a node has to release a partition.
     */
    static final double OVERLOADED = 3;

    static final String HEADER =
            "   seed   calls  answers  dead  repeated  seconds  settling  contention  verdict     faults";

    static ChaosReport of(
            ChaosRunResult result, List<String> notes, Duration took, Duration settling, double contention, Path logs) {
        List<CallHistory> calls = result.calls();
        List<Violation> violations = Invariants.check(result);
        Set<String> suspects = violations.stream()
                .flatMap(violation -> violation.ids().stream())
                .limit(SUSPECTS_SHOWN)
                .collect(Collectors.toSet());
        return new ChaosReport(
                result.plan(),
                calls.size(),
                calls.stream().mapToInt(call -> call.answers().size()).sum(),
                calls.stream().mapToInt(CallHistory::deadLetters).sum(),
                result.duplicates(),
                violations,
                calls.stream()
                        .filter(call -> suspects.contains(call.call().id()))
                        .toList(),
                List.copyOf(notes),
                took,
                settling,
                contention,
                logs);
    }

    boolean isGood() {
        return violations.isEmpty();
    }

    /** Returns whether the CPU was so crowded that a violation has to be replayed before it counts as a defect. */
    boolean isOverloaded() {
        return contention >= OVERLOADED;
    }

    private String verdict() {
        if (isGood()) {
            return "ok";
        }
        return isOverloaded() ? "OVERLOADED" : "FAILED";
    }

    /** Returns a line of the table below {@link #HEADER}, and one for each note. */
    String line() {
        return String.format(
                Locale.ROOT,
                "%7d  %6d  %7d  %4d  %8d  %7.1f  %8.1f  %10.1f  %-10s  %s",
                plan.seed(),
                calls,
                answers,
                deadLetters,
                repeated,
                took.toMillis() / 1e3,
                settling.toMillis() / 1e3,
                contention,
                verdict(),
                plan.scheduledFaults().stream()
                                .map(scheduled -> scheduled.fault().kind().label())
                                .collect(Collectors.joining(" "))
                        + (isGood()
                                ? ""
                                : "\n         violated: " + violations.get(0).invariant())
                        + notes.stream().map(note -> "\n         note: " + note).collect(Collectors.joining()));
    }

    /** Returns the last line of a run of several seeds. */
    static String summary(long seeds, List<ChaosReport> bad) {
        List<ChaosReport> onOverloadedMachine =
                bad.stream().filter(ChaosReport::isOverloaded).toList();
        return seeds + " seeds, " + bad.size() + " with violations" + seeds(bad)
                + (onOverloadedMachine.isEmpty()
                        ? ""
                        : "; replay on a quiet machine, because this one was overloaded:" + seeds(onOverloadedMachine));
    }

    private static String seeds(List<ChaosReport> reports) {
        return reports.stream().map(report -> " " + report.plan().seed()).collect(Collectors.joining());
    }

    /** Returns the details of a failure. */
    String details(String replay) {
        return "seed " + plan.seed() + " violated " + violations.size() + " invariants\n"
                + (isOverloaded() ? overload() : "")
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

    private String overload() {
        return String.format(
                Locale.ROOT,
                "The machine was overloaded: a busy thread took %.1f times its CPU time. Replay the seed when the machine is quiet;"
                        + " it is a defect only if it fails again.%n",
                contention);
    }

    private static String lines(String title, List<String> lines) {
        return lines.isEmpty()
                ? ""
                : title + "\n"
                        + lines.stream().collect(Collectors.joining("\n")).indent(2);
    }
}

package io.iocluster.http.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The line of the matrix for a server, a fault and a protocol.
 *
 * @param calls the calls made
 * @param answered calls with a response of any status
 * @param no calls that the server certainly did not process
 * @param maybe calls that it may have processed
 * @param repeated attempts beyond the first ones
 * @param processed attempts that the server's log has
 * @param statuses the number of responses with each status
 * @param violations what must not happen; empty if all is well
 * @param seconds the duration of the calls
 */
record Verdict(
        String server,
        Fault fault,
        Protocol protocol,
        int calls,
        int answered,
        int no,
        int maybe,
        int repeated,
        int processed,
        Map<Integer, Integer> statuses,
        List<String> violations,
        double seconds) {

    static final String HEADER = String.format(
            Locale.ROOT,
            "%-10s %-16s %-10s %6s %8s %5s %5s %8s %9s %7s %s",
            "server",
            "fault",
            "protocol",
            "calls",
            "answered",
            "no",
            "maybe",
            "repeated",
            "processed",
            "seconds",
            "violations");

    /** Violations of one kind that are shown in full. */
    private static final int EXAMPLES = 3;

    /**
     * Judges the attempts.
     *
     * @param processed the ids in the server's log with a line of each
     */
    static Verdict of(
            TestedServer server,
            Fault fault,
            Protocol protocol,
            List<Attempt> attempts,
            Map<String, String> processed,
            double seconds) {
        List<Attempt> last = attempts.stream().filter(Attempt::isLast).toList();
        Map<Integer, Integer> statuses = new TreeMap<>();
        attempts.stream().filter(Attempt::isAnswered).forEach(a -> statuses.merge(a.status(), 1, Integer::sum));
        Violations violations = new Violations(attempts, processed);
        violations.add("not ended", attempt -> attempt.result() == null);
        violations.add("answered, but not completely", attempt -> attempt.status() == 200 && attempt.problem() != null);
        violations.add(
                "sent: no, but processed", attempt -> attempt.isUnprocessed() && processed.containsKey(attempt.id()));
        violations.add(
                "answered with 200, but not processed",
                attempt -> attempt.status() == 200 && !processed.containsKey(attempt.id()));
        violations.add("answered with a wrong status", attempt -> attempt.isAnswered() && !isExpected(fault, attempt));
        if (!server.allowsMaybe(fault, protocol)) {
            violations.add("sent: maybe", Attempt::isMaybe);
        } else if (!server.drops(fault, protocol)) {
            // A server that ends as it should answers what it has processed.
            violations.add(
                    "sent: maybe, and processed", attempt -> attempt.isMaybe() && processed.containsKey(attempt.id()));
        }
        int answered = (int) last.stream().filter(Attempt::isAnswered).count();
        int no = (int) last.stream().filter(Attempt::isUnprocessed).count();
        int maybe = (int) last.stream().filter(Attempt::isMaybe).count();
        if (answered + no + maybe != last.size()) {
            violations.texts.add("answered + no + maybe is " + (answered + no + maybe) + " of " + last.size());
        }
        return new Verdict(
                server.name(),
                fault,
                protocol,
                last.size(),
                answered,
                no,
                maybe,
                attempts.size() - last.size(),
                processed.size(),
                statuses,
                violations.texts,
                seconds);
    }

    private static boolean isExpected(Fault fault, Attempt attempt) {
        int status = attempt.status();
        int expected = attempt.method().equals("POST") ? fault.calls().postStatus() : 200;
        return status == expected || fault.interrupts() && (status == 502 || status == 503 || status == 504);
    }

    boolean isGood() {
        return violations.isEmpty();
    }

    /** Returns the line, and a line for each violation. */
    @Override
    public String toString() {
        String line = String.format(
                Locale.ROOT,
                "%-10s %-16s %-10s %6d %8d %5d %5d %8d %9d %7.1f %d",
                server,
                fault.label(),
                protocol.label(),
                calls,
                answered,
                no,
                maybe,
                repeated,
                processed,
                seconds,
                violations.size());
        if (statuses.keySet().stream().anyMatch(status -> status != 200)) {
            line += " " + statuses;
        }
        return violations.isEmpty() ? line : line + "\n    " + String.join("\n    ", violations);
    }

    /** Collects violations. Owned by one judgement. */
    private static final class Violations {

        private final List<Attempt> attempts;
        private final Map<String, String> processed;
        private final List<String> texts = new ArrayList<>();

        Violations(List<Attempt> attempts, Map<String, String> processed) {
            this.attempts = attempts;
            this.processed = processed;
        }

        void add(String name, Predicate<Attempt> violates) {
            List<Attempt> bad = attempts.stream().filter(violates).toList();
            if (!bad.isEmpty()) {
                texts.add(bad.size() + " " + name + ", such as "
                        + bad.stream().limit(EXAMPLES).map(this::describe).toList());
            }
        }

        private String describe(Attempt attempt) {
            return attempt + ", log: " + processed.get(attempt.id());
        }
    }
}

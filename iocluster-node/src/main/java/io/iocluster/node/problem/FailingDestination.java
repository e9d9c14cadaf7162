package io.iocluster.node.problem;

import io.iocluster.destination.AttemptTotals.LastError;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.message.ErrorCode;
import io.iocluster.node.problem.Problem.Kind;
import io.iocluster.node.problem.Problem.Severity;
import java.time.Duration;
import java.util.List;

/** Decides whether a destination fails, and what to do about it. */
final class FailingDestination {

    /** A destination without an error for this long seems to recover. */
    private static final Duration RECOVERING = Duration.ofSeconds(3);

    private static final double SOME = 0.1;
    private static final double MOST = 0.5;
    private static final int MIN_ERRORS = 3;

    private FailingDestination() {}

    /** Adds a problem if the destination fails. */
    static void addProblem(DestinationResults destination, List<Problem> problems) {
        Problem problem = problem(destination);
        if (problem != null) {
            problems.add(problem);
        }
    }

    private static Problem problem(DestinationResults destination) {
        LastError last = destination.status().attempts().lastError();
        boolean open = isDelayedByBreaker(destination);
        boolean failing = last != null
                && !Recurrence.hasStopped(last.age(), destination.errors(), destination.seconds())
                && destination.errors() >= MIN_ERRORS
                && destination.errorShare() >= SOME;
        if (!open && !failing) {
            return null;
        }
        String name = destination.status().name();
        String reason = open ? destination.status().trip().lastFailure() : last.reason();
        boolean isLast = last != null && last.reason().equals(reason);
        return new Problem(
                Kind.DESTINATION_FAILING,
                open || destination.errorShare() >= MOST ? Severity.BAD : Severity.WARN,
                name,
                reason,
                "Destination " + name + " fails: " + text(destination, reason + (isLast ? detail(last) : ""))
                        + impact(destination) + recovery(destination, last, open),
                // Otherwise the breaker counted a result that is no error of an attempt, such as an unusable answer.
                isLast ? action(destination, last) : "Ask the operator of the target why it gives this answer.");
    }

    private static String detail(LastError last) {
        return last.detail().isEmpty() ? "" : " (" + last.detail() + ")";
    }

    private static String impact(DestinationResults destination) {
        int waiting = destination.status().waiting();
        return waiting == 0 ? "" : " " + waiting + (waiting == 1 ? " call waits." : " calls wait.");
    }

    private static String recovery(DestinationResults destination, LastError last, boolean open) {
        if (open) {
            long seconds = destination.status().trip().nextProbe().toSeconds();
            return " Its breaker is " + destination.status().breaker().wireName()
                    + (seconds > 0
                            ? "; the next probe is in " + seconds + " s."
                            : "; probes show whether it recovers.");
        }
        return last.age().compareTo(RECOVERING) < 0
                ? ""
                : " It recovers: no error for " + last.age().toSeconds() + " s.";
    }

    /** Returns whether the breaker delays or fails calls. An open breaker without calls stays open and is not a problem. */
    private static boolean isDelayedByBreaker(DestinationResults destination) {
        BreakerState breaker = destination.status().breaker();
        return (breaker == BreakerState.OPEN || breaker == BreakerState.HALF_OPEN)
                && (destination.status().waiting() > 0 || destination.errors() > 0);
    }

    private static String text(DestinationResults destination, String reason) {
        return destination.errors() == 0
                ? "the last attempt ended with " + reason + "."
                : Math.round(100 * destination.errorShare()) + " % of its attempts in the last minute, the last with "
                        + reason + ".";
    }

    private static String action(DestinationResults destination, LastError last) {
        return last.code() == null ? forStatus(last.status(), destination) : forCode(last.code());
    }

    private static String forStatus(int status, DestinationResults destination) {
        if (status == 401 || status == 403) {
            return destination.credential().isEmpty()
                    ? "Check the credential that the envelopes name in auth, or send in a header."
                    : "Check the credential " + destination.credential() + " (credentials." + destination.credential()
                            + ").";
        }
        if (status == 429) {
            return "Lower the destination's rate or max-in-flight, because the target asks for fewer calls.";
        }
        return status < 500
                ? "Check the requests. If the status is a normal answer, add it to the destination's expected-statuses."
                : "Ask the operator of the target. Pause the destination if it must be left alone.";
    }

    private static String forCode(ErrorCode code) {
        return switch (code) {
            case DNS_FAILED -> "Check the host name and the name servers that the node asks.";
            case TLS -> "Check the target's certificate, and the destination's tls settings.";
            case TIMEOUT -> "Find out why the target is slow: ask its operator.";
            case CREDENTIAL_UNAVAILABLE -> "Check the credential's token server and its client secret.";
            case PROXY_FAILED -> "Check the destination's proxy.";
            case CONNECT_REFUSED, CONNECT_TIMEOUT, CONNECT_FAILED ->
                "Check that the target runs, and that this machine reaches its address and port.";
            default -> "Look up the code in docs/errors.md.";
        };
    }
}

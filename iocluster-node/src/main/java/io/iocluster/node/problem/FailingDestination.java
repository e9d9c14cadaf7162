package io.iocluster.node.problem;

import io.iocluster.destination.AttemptTotals.LastError;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.message.ErrorCode;
import io.iocluster.node.problem.Problem.Kind;
import io.iocluster.node.problem.Problem.Severity;
import java.time.Duration;

/** Decides whether a destination fails, and what to do about it. */
final class FailingDestination {

    /** A destination without an error for this long has recovered, or is not called. */
    private static final Duration RECENT = Duration.ofSeconds(30);

    private static final double SOME = 0.1;
    private static final double MOST = 0.5;
    private static final int MIN_ERRORS = 3;

    private FailingDestination() {}

    /** Returns the problem of a destination; null if it has none. */
    static Problem problem(DestinationResults destination) {
        LastError last = destination.status().attempts().lastError();
        boolean open = isDelayedByBreaker(destination);
        boolean failing = last != null
                && last.age().compareTo(RECENT) <= 0
                && destination.errors() >= MIN_ERRORS
                && destination.errorShare() >= SOME;
        if (last == null || (!open && !failing)) {
            return null;
        }
        String name = destination.status().name();
        return new Problem(
                Kind.DESTINATION_FAILING,
                open || destination.errorShare() >= MOST ? Severity.BAD : Severity.WARN,
                name,
                last.reason(),
                "Destination " + name + " fails: " + text(destination, last)
                        + (open
                                ? ". Its breaker is "
                                        + destination.status().breaker().wireName() + "."
                                : "."),
                action(destination, last));
    }

    /** Returns whether the breaker delays or fails calls. An open breaker without calls stays open and is not a problem. */
    private static boolean isDelayedByBreaker(DestinationResults destination) {
        BreakerState breaker = destination.status().breaker();
        return (breaker == BreakerState.OPEN || breaker == BreakerState.HALF_OPEN)
                && (destination.status().waiting() > 0 || destination.errors() > 0);
    }

    private static String text(DestinationResults destination, LastError last) {
        String recent = destination.ended() == 0
                ? "no attempt ended in the last minute"
                : Math.round(100 * destination.errorShare()) + " % of its attempts in the last minute";
        return recent + ", the last with " + last.reason();
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
                : "Ask the operator of the target. The node retries, and calls again when the target recovers.";
    }

    private static String forCode(ErrorCode code) {
        return switch (code) {
            case DNS_FAILED -> "Check the host name and the name servers of this machine.";
            case TLS -> "Check the target's certificate, and the destination's tls settings.";
            case TIMEOUT -> "Find out why the target is slow. Raise the destination's timeout if it needs more time.";
            case CREDENTIAL_UNAVAILABLE -> "Check the credential's token server and its client secret.";
            case PROXY_FAILED -> "Check the destination's proxy.";
            case CONNECT_REFUSED, CONNECT_TIMEOUT, CONNECT_FAILED ->
                "Check that the target runs, and that this machine reaches its address and port.";
            default -> "Look up the code in docs/errors.md.";
        };
    }
}

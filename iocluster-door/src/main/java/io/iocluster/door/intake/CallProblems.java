package io.iocluster.door.intake;

import io.iocluster.door.call.CallResult;
import io.iocluster.door.call.CallResult.Failed;
import io.iocluster.door.http.Problem;
import io.iocluster.door.traffic.DoorTraffic;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.message.SentStatus;

/** Converts the failures of calls to problems, and counts them. Stateless. */
public final class CallProblems {

    /** The header that contains the id of a call. */
    public static final String ID_HEADER = "iocluster-id";

    private CallProblems() {}

    /** Returns the problem of the call with this id, which has no answer. */
    public static Problem of(Failed failed, String id) {
        return of(failed).withHeader(ID_HEADER, headerValue(id));
    }

    /** Returns the problem of a call without an answer. */
    public static Problem of(Failed failed) {
        return switch (failed.reason()) {
            case REJECTED ->
                Problem.of(rejectedStatus(failed.code()), failed.code(), failed.message())
                        .withHeader("iocluster-outcome", Outcome.REJECTED.wireName())
                        .withHeader("iocluster-attempts", "0")
                        .withHeader("iocluster-sent", SentStatus.NO.wireName());
            case FULL -> Problem.retryable(429, "door-full", failed.message());
            case EXPIRED -> Problem.of(504, ErrorCode.DEADLINE_EXCEEDED.wireName(), failed.message());
            case UNAVAILABLE -> Problem.retryable(503, "unavailable", failed.message());
            case SPOOL_FULL -> Problem.retryable(429, "spool-full", failed.message());
            case DROPPED -> Problem.retryable(503, "dropped", failed.message());
            case INVALID_ANSWER -> Problem.of(502, "invalid-answer", failed.message());
            case DEAD_LETTER -> Problem.of(502, "dead-letter", failed.message());
        };
    }

    /** Returns the status of a call that was not tried: 413 for its size, 403 for what a policy forbids, 400 for any other mistake. */
    public static int rejectedStatus(String code) {
        return switch (code) {
            case "request-too-large" -> 413;
            case "scheme-not-allowed", "port-not-allowed", "host-not-allowed", "address-not-allowed" -> 403;
            default -> 400;
        };
    }

    /** Counts the problem of a call of the app, if the call has no answer. {@code result} is null if the call was not made. */
    public static void count(DoorTraffic traffic, String app, CallResult result) {
        if (result instanceof Failed failed) {
            traffic.problem(app, of(failed).code());
        }
    }

    /** Returns the text as a header value: characters that a header cannot contain become {@code ?}. */
    private static String headerValue(String text) {
        StringBuilder value = new StringBuilder(text);
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) <= ' ' || value.charAt(i) > '~') {
                value.setCharAt(i, '?');
            }
        }
        return value.toString();
    }
}

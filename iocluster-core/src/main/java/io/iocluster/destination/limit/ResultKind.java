package io.iocluster.destination.limit;

import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.Failure;
import io.iocluster.http.HttpResult.Response;

/** Classifies the result of an attempt by what it says about the destination. */
public enum ResultKind {
    /** The target answered, possibly with a 4xx. */
    HEALTHY,
    /** The target asks for fewer calls: 429. */
    THROTTLED,
    /** The target fails and is overloaded: a timeout or 503. */
    OVERLOADED,
    /** The target fails: a network error or another 5xx. */
    FAILING,
    /** The result says nothing about the target: the node refused the call or could not accept the answer. */
    IGNORED;

    /** Returns the kind of this result. */
    public static ResultKind of(HttpResult result) {
        return result instanceof Response response ? ofStatus(response.status()) : ofFailure((Failure) result);
    }

    private static ResultKind ofStatus(int status) {
        if (status == 429) {
            return THROTTLED;
        }
        if (status == 503) {
            return OVERLOADED;
        }
        return status >= 500 ? FAILING : HEALTHY;
    }

    private static ResultKind ofFailure(Failure failure) {
        return switch (failure.code()) {
            case TIMEOUT, CONNECT_TIMEOUT -> OVERLOADED;
            case DNS_FAILED, CONNECT_REFUSED, CONNECT_FAILED, TLS, CONNECTION_CLOSED, PROTOCOL_ERROR -> FAILING;
            default -> IGNORED;
        };
    }

    /** Returns whether the breaker counts an attempt without a response as a failure. */
    boolean isFailure() {
        return this == OVERLOADED || this == FAILING;
    }

    /** Returns whether fewer concurrent calls would have helped. */
    boolean isOverload() {
        return this == THROTTLED || this == OVERLOADED;
    }
}

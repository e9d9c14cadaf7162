package io.iocluster.destination.limit;

import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.Failure;
import io.iocluster.http.HttpResult.Response;

/** What an attempt's result says about its destination. */
public enum ResultKind {
    /** It answered, be it with a 4xx. */
    HEALTHY,
    /** It cannot take so many calls: 429. */
    THROTTLED,
    /** It fails, and asks for fewer calls or leaves them unanswered: a timeout, 503. */
    OVERLOADED,
    /** It fails: the network, another 5xx. */
    FAILING,
    /** Nothing: the node refused or could not take the answer. */
    IGNORED;

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

    /** Whether the breaker counts it as a failure. */
    boolean isFailure() {
        return this == OVERLOADED || this == FAILING;
    }

    /** Whether fewer calls at once would have helped. */
    boolean isOverload() {
        return this == THROTTLED || this == OVERLOADED;
    }
}

package io.iocluster.trace;

import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;

/** Traces one attempt. */
public interface AttemptTrace {

    /** Traces nothing. */
    AttemptTrace NONE = new AttemptTrace() {};

    /** Returns the request to send: the same one, or one that carries this trace's context. */
    default HttpRequest injectContext(HttpRequest request) {
        return request;
    }

    /**
     * Records the end of the attempt.
     *
     * @param result null if the attempt was cancelled because its result is no longer needed
     */
    default void ended(HttpResult result) {}
}

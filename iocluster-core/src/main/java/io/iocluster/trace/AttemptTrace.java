package io.iocluster.trace;

import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;

/** What is made of one attempt. */
public interface AttemptTrace {

    /** Of an attempt that nobody follows. */
    AttemptTrace NONE = new AttemptTrace() {};

    /** The request as the target is to get it: the same, or with another trace context. */
    default HttpRequest injectContext(HttpRequest request) {
        return request;
    }

    /**
     * The attempt is over.
     *
     * @param result null if it was cancelled, for nobody wanted its result any more
     */
    default void ended(HttpResult result) {}
}

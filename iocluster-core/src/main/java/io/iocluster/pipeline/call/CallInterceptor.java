package io.iocluster.pipeline.call;

import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;

/** Intercepts the attempts of a call, for example to store its response and to answer identical calls. Thread-safe. */
public interface CallInterceptor {

    /** Called before each attempt. Returns the request to send. */
    default HttpRequest prepare(Call call, HttpRequest request) {
        return request;
    }

    /** Returns whether a second attempt may be made with the request that {@link #prepare} returned, while the first one runs. */
    default boolean allowsHedge(HttpRequest prepared) {
        return true;
    }

    /** Called with the result of the last attempt. Returns the result with which the call ends. */
    default HttpResult complete(Call call, HttpResult result) {
        return result;
    }

    /** Called when the call has ended for any reason. May be called several times. */
    default void ended(Call call) {}

    /** Called when the source keeps the message of the call, which has not started. The source offers the message again later. */
    default void withdrawn(Call call) {}
}

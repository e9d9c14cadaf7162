package io.iocluster.pipeline.call;

import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;

/** Follows a call for others that may use its response. Thread-safe. */
public interface SharedCall {

    /** Returns the request to send in the next attempt of the call. */
    HttpRequest prepare(Call call, HttpRequest request);

    /** Passes on the result of the last attempt. Returns the result that the call ends with. */
    HttpResult complete(Call call, HttpResult result);

    /** The call has ended, for whatever reason, or its source keeps it. May be called again. */
    void ended(Call call);
}

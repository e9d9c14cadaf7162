package io.iocluster.pipeline.cache;

import io.iocluster.cache.ResponseStore;
import io.iocluster.http.HttpRequest;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.call.CallInterceptor;

/**
 * Invalidates the stored responses of a resource while a call may change it, such as a PUT (RFC 9111, section 4.4). Does so before
 * and after each attempt, because a response that the target produced meanwhile may be the old one. Thread-safe.
 */
final class CacheInvalidation implements CallInterceptor {

    private final ResponseStore store;
    private volatile boolean attempted;

    CacheInvalidation(ResponseStore store) {
        this.store = store;
    }

    @Override
    public HttpRequest prepare(Call call, HttpRequest request) {
        attempted = true;
        store.invalidate(request);
        return request;
    }

    @Override
    public void ended(Call call) {
        if (attempted) {
            store.invalidate(call.request());
        }
    }
}

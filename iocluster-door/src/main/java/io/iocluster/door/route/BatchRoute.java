package io.iocluster.door.route;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.util.TimeoutMode;
import io.iocluster.door.config.DoorLimits;
import io.iocluster.door.http.DoorRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * {@code POST /v1/calls:batch}: makes the calls of many envelopes, one on each line, and returns each answer on a line as soon as it
 * arrives.
 */
public final class BatchRoute implements DoorRoute {

    private static final String NDJSON = "application/x-ndjson";

    private final CallStarter starter;
    private final DoorLimits limits;

    public BatchRoute(CallStarter starter, DoorLimits limits) {
        this.starter = starter;
        this.limits = limits;
    }

    @Override
    public CompletionStage<HttpResponse> serve(DoorRequest request) {
        request.requireContentType(NDJSON);
        // The line that is being read. Each complete line reserves its own bytes.
        request.reserve(limits.maxBody().bytes());
        // Each line is limited instead of the whole body.
        request.context().setMaxRequestLength(0);
        request.context().setRequestTimeout(TimeoutMode.SET_FROM_START, limits.batchDuration());
        HttpResponseWriter writer = HttpResponse.streaming();
        writer.write(ResponseHeaders.builder(200)
                .add(HttpHeaderNames.CONTENT_TYPE, NDJSON)
                .add(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .build());
        new Batch(request, starter, limits, writer).start();
        return CompletableFuture.completedFuture(writer);
    }
}

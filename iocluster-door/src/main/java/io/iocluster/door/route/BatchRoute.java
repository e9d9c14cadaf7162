package io.iocluster.door.route;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.util.TimeoutMode;
import io.iocluster.door.access.AnswerBudget.Unread;
import io.iocluster.door.config.DoorLimits;
import io.iocluster.door.config.DoorSettings;
import io.iocluster.door.http.DoorRequest;
import io.iocluster.door.http.UnreadResponse;
import io.iocluster.door.intake.CallStarter;
import io.iocluster.door.traffic.DoorTraffic;
import io.iocluster.thread.NodeClock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * {@code POST /v1/calls:batch}: makes the calls of many envelopes, one on each line, and returns each answer on a line as soon as it
 * arrives.
 */
public final class BatchRoute implements DoorRoute {

    private static final String NDJSON = "application/x-ndjson";

    private final CallStarter starter;
    private final Supplier<DoorSettings> settings;
    private final DoorTraffic traffic;
    private final NodeClock clock;

    /**
     * Creates the route.
     *
     * @param traffic counts the lines that are refused
     */
    public BatchRoute(CallStarter starter, Supplier<DoorSettings> settings, DoorTraffic traffic, NodeClock clock) {
        this.clock = clock;
        this.starter = starter;
        this.settings = settings;
        this.traffic = traffic;
    }

    @Override
    public CompletionStage<HttpResponse> serve(DoorRequest request) {
        request.requireContentType(NDJSON);
        DoorLimits limits = settings.get().limits();
        // Each line is limited instead of the whole body.
        request.context().setMaxRequestLength(0);
        request.context().setRequestTimeout(TimeoutMode.SET_FROM_START, limits.batchDuration());
        HttpResponseWriter writer = HttpResponse.streaming();
        writer.write(ResponseHeaders.builder(200)
                .add(HttpHeaderNames.CONTENT_TYPE, NDJSON)
                .add(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .build());
        Unread unread = UnreadResponse.start(request);
        new Batch(request, starter, limits, traffic, writer, unread, clock).start();
        return CompletableFuture.completedFuture(UnreadResponse.observed(request.context(), writer, unread));
    }
}

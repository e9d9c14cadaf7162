package io.iocluster.door.route;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import io.iocluster.door.access.FairLimit;
import io.iocluster.door.answers.KeptAnswers.Ended;
import io.iocluster.door.config.DoorSettings;
import io.iocluster.door.http.DoorRequest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import tools.jackson.databind.json.JsonMapper;

/** Waits for asynchronous calls. Thread-safe. */
final class CallWaiting {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final FairLimit waiting;
    private final Supplier<DoorSettings> settings;

    /**
     * Creates the wait.
     *
     * @param waiting limits the number of callers that wait
     */
    CallWaiting(FairLimit waiting, Supplier<DoorSettings> settings) {
        this.waiting = waiting;
        this.settings = settings;
    }

    /**
     * Waits for the end of a call. Does not wait if too many callers do.
     *
     * @param end completes when the call ends; this method completes it with null if the time is over first
     * @param wait how long the caller wants to wait
     * @return completes with the response
     */
    CompletableFuture<HttpResponse> await(DoorRequest request, String id, CompletableFuture<Ended> end, Duration wait) {
        Duration maxWait = settings.get().answers().maxWait();
        Duration time = wait.compareTo(maxWait) > 0 ? maxWait : wait;
        String app = request.app().name();
        request.allow(time);
        if (!time.isZero() && !end.isDone() && waiting.tryOpen(app)) {
            end.completeOnTimeout(null, time.toMillis(), TimeUnit.MILLISECONDS);
            end.whenComplete((ended, failure) -> waiting.close(app));
            // A caller that has gone does not wait.
            request.context().log().whenComplete().thenRun(() -> end.complete(null));
        } else {
            end.complete(null);
        }
        return end.thenApply(ended -> ended == null ? pending(id) : CallResponses.of(request, id, ended.result()));
    }

    /** Returns 202 for a call that is open. */
    private static HttpResponse pending(String id) {
        byte[] body =
                JSON.writeValueAsBytes(JSON.createObjectNode().put("id", id).put("state", "pending"));
        ResponseHeaders headers = ResponseHeaders.builder(202)
                .contentType(MediaType.JSON)
                .add(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .add(
                        HttpHeaderNames.LOCATION,
                        "/v1/calls/"
                                + URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20"))
                .add("preference-applied", "respond-async")
                .contentLength(body.length)
                .build();
        return HttpResponse.of(headers, HttpData.wrap(body));
    }
}

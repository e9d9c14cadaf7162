package io.iocluster.door.route;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import io.iocluster.door.answers.KeptAnswers.Ended;
import io.iocluster.door.http.DoorRequest;
import io.iocluster.door.intake.AsyncCalls;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.json.JsonMapper;

/** Waits for asynchronous calls. Stateless. */
final class CallWaiting {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private CallWaiting() {}

    /**
     * Waits for the end of a call. Does not wait if too many callers do.
     *
     * @param end completes when the call ends; this method completes it with null if the time is over first
     * @param wait how long the caller wants to wait; null if it does not say
     * @return completes with the response
     */
    static CompletableFuture<HttpResponse> await(
            DoorRequest request, AsyncCalls calls, String id, CompletableFuture<Ended> end, Duration wait) {
        Duration time = calls.allowed(wait == null ? Duration.ZERO : wait);
        request.allow(time);
        // A caller that has gone does not wait.
        request.context().log().whenComplete().thenRun(() -> end.complete(null));
        calls.limitWait(request.app(), end, time);
        return end.thenApply(ended -> ended == null ? pending(id) : CallResponses.of(request, id, ended.result()));
    }

    /** Returns 202 with the path of the call. */
    static HttpResponse pending(String id) {
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

package io.iocluster.door.route;

import com.linecorp.armeria.common.HttpResponse;
import io.iocluster.door.answers.KeptAnswers.Ended;
import io.iocluster.door.http.DoorRequest;
import io.iocluster.door.http.Preferences;
import io.iocluster.door.intake.AsyncCalls;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** {@code GET /v1/calls/{id}}: returns the answer to an asynchronous call of the app. {@code Prefer: wait=10} waits for it. */
public final class GetCallRoute implements DoorRoute {

    public static final String PREFIX = "/v1/calls/";

    private final AsyncCalls asyncCalls;

    public GetCallRoute(AsyncCalls asyncCalls) {
        this.asyncCalls = asyncCalls;
    }

    /** Returns the id in a path. Armeria's own decoded path keeps an encoded slash. */
    private static String id(String path) {
        return URLDecoder.decode(path.substring(PREFIX.length()).replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    @Override
    public CompletionStage<HttpResponse> serve(DoorRequest request) {
        request.http().abort();
        String id = id(request.context().path());
        CompletableFuture<Ended> end = asyncCalls.find(request.app(), id);
        Preferences preferences = Preferences.of(request.headers());
        return CallWaiting.await(request, asyncCalls, id, end, preferences.maxWait());
    }
}

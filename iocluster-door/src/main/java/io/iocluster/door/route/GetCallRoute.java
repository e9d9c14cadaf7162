package io.iocluster.door.route;

import com.linecorp.armeria.common.HttpResponse;
import io.iocluster.door.answers.KeptAnswers;
import io.iocluster.door.answers.KeptAnswers.Ended;
import io.iocluster.door.config.DoorSettings;
import io.iocluster.door.http.DoorRequest;
import io.iocluster.door.http.Preferences;
import io.iocluster.door.http.Problem;
import io.iocluster.door.http.ProblemException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** {@code GET /v1/calls/{id}}: returns the answer to an asynchronous call of the app. {@code Prefer: wait=10} waits for it. */
public final class GetCallRoute implements DoorRoute {

    public static final String PREFIX = "/v1/calls/";

    private final KeptAnswers kept;
    private final CallWaiting waiting;

    public GetCallRoute(KeptAnswers kept, Supplier<DoorSettings> settings) {
        this.kept = kept;
        this.waiting = new CallWaiting(kept.waiting(), settings);
    }

    /** Returns the id in a path. Armeria's own decoded path keeps an encoded slash. */
    private static String id(String path) {
        return URLDecoder.decode(path.substring(PREFIX.length()).replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    @Override
    public CompletionStage<HttpResponse> serve(DoorRequest request) {
        request.http().abort();
        String id = id(request.context().path());
        CompletableFuture<Ended> end = kept.find(request.app().name(), id);
        if (end == null) {
            throw new ProblemException(Problem.of(
                    404, "unknown-call", "the app has no open call with this id, and the door keeps no answer to it"));
        }
        Preferences preferences = Preferences.of(request.headers());
        Duration wait = preferences.maxWait() == null ? Duration.ZERO : preferences.maxWait();
        return waiting.await(request, id, end, wait);
    }
}

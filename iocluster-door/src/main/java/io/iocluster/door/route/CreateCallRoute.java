package io.iocluster.door.route;

import com.linecorp.armeria.common.HttpResponse;
import io.iocluster.door.answers.KeptAnswers;
import io.iocluster.door.answers.KeptAnswers.Ended;
import io.iocluster.door.call.CallResult;
import io.iocluster.door.call.DoorCall;
import io.iocluster.door.config.DoorSettings;
import io.iocluster.door.http.DoorRequest;
import io.iocluster.door.http.Preferences;
import io.iocluster.door.http.Problem;
import io.iocluster.door.http.ProblemException;
import io.iocluster.door.http.TraceHeaders;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * {@code POST /v1/calls}: makes the call of an envelope and returns its answer. With {@code Prefer: respond-async} it returns 202 and the
 * door keeps the answer.
 */
public final class CreateCallRoute implements DoorRoute {

    private final CallStarter starter;
    private final KeptAnswers kept;
    private final CallWaiting waiting;

    public CreateCallRoute(CallStarter starter, KeptAnswers kept, Supplier<DoorSettings> settings) {
        this.starter = starter;
        this.kept = kept;
        this.waiting = new CallWaiting(kept.waiting(), settings);
    }

    @Override
    public CompletionStage<HttpResponse> serve(DoorRequest request) {
        request.requireContentType("application/json");
        Preferences preferences = Preferences.of(request.headers());
        return request.body().thenCompose(body -> {
            DoorCall call = starter.read(body, request.app(), TraceHeaders.read(request.headers()));
            return preferences.respondAsync() ? async(request, call, preferences) : answer(request, call);
        });
    }

    private CompletionStage<HttpResponse> answer(DoorRequest request, DoorCall call) {
        request.allow(call.deadline());
        return starter.start(request.app(), call).thenApply(result -> CallResponses.of(request, call.id(), result));
    }

    private CompletionStage<HttpResponse> async(DoorRequest request, DoorCall call, Preferences preferences) {
        String app = request.app().name();
        if (!kept.register(app, call.id())) {
            throw new ProblemException(
                    Problem.of(409, "id-in-use", "a call with this id is open, or its answer is kept"));
        }
        CompletionStage<CallResult> started;
        try {
            started = starter.start(request.app(), call);
        } catch (RuntimeException | Error refused) {
            kept.forget(app, call.id());
            throw refused;
        }
        // Before the call can end, because the store may remove an answer at once.
        CompletableFuture<Ended> end = kept.find(app, call.id());
        started.thenAccept(result -> kept.complete(app, call.id(), result));
        Duration wait = preferences.maxWait() == null ? Duration.ZERO : preferences.maxWait();
        return waiting.await(request, call.id(), end, wait);
    }
}

package io.iocluster.door.route;

import com.linecorp.armeria.common.HttpResponse;
import io.iocluster.door.call.DoorCall;
import io.iocluster.door.http.DoorRequest;
import io.iocluster.door.http.Preferences;
import io.iocluster.door.intake.AsyncCalls;
import io.iocluster.door.intake.CallStarter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * {@code POST /v1/calls}: makes the call of an envelope and returns its answer. With {@code Prefer: respond-async} it returns 202 and the
 * door keeps the answer.
 */
public final class CreateCallRoute implements DoorRoute {

    private final CallStarter starter;
    private final AsyncCalls asyncCalls;

    public CreateCallRoute(CallStarter starter, AsyncCalls asyncCalls) {
        this.starter = starter;
        this.asyncCalls = asyncCalls;
    }

    @Override
    public CompletionStage<HttpResponse> serve(DoorRequest request) {
        request.requireContentType("application/json");
        Preferences preferences = Preferences.of(request.headers());
        return request.body().thenCompose(body -> {
            DoorCall call = starter.read(body, request.app(), starter.readTrace(request.headers()::get));
            return preferences.respondAsync() ? async(request, call, preferences) : answer(request, call);
        });
    }

    private CompletionStage<HttpResponse> answer(DoorRequest request, DoorCall call) {
        request.allow(call.deadline());
        return starter.start(request.app(), call).thenApply(result -> CallResponses.of(request, call.id(), result));
    }

    private CompletionStage<HttpResponse> async(DoorRequest request, DoorCall call, Preferences preferences) {
        request.allow(call.deadline());
        return asyncCalls.start(request.app(), call).thenCompose(end -> {
            if (preferences.maxWait() == null) {
                // Also if the call has already ended, because the caller expects 202 and no answer.
                end.complete(null);
                return CompletableFuture.completedFuture(CallWaiting.pending(call.id()));
            }
            return CallWaiting.await(request, asyncCalls, call.id(), end, preferences.maxWait());
        });
    }
}

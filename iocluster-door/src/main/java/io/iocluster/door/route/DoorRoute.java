package io.iocluster.door.route;

import com.linecorp.armeria.common.HttpResponse;
import io.iocluster.door.http.DoorRequest;
import java.util.concurrent.CompletionStage;

/** Answers the requests of one route. Called on the event loop of the request; must not block. Thread-safe. */
@FunctionalInterface
public interface DoorRoute {

    /**
     * Answers a request.
     *
     * @return completes with the response, or exceptionally with a {@link io.iocluster.door.http.ProblemException}
     */
    CompletionStage<HttpResponse> serve(DoorRequest request);
}

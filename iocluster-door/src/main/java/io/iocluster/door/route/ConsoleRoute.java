package io.iocluster.door.route;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import io.iocluster.door.http.DoorPages.Page;
import io.iocluster.door.http.DoorRequest;
import io.iocluster.door.http.Problem;
import io.iocluster.door.http.ProblemException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** {@code GET /console} and its files: a page for operators, which reads {@code /v1/status}. */
public final class ConsoleRoute implements DoorRoute {

    public static final String PREFIX = "/console/";

    private static final String ETAG = "ETag";

    private final Function<String, Page> files;

    /**
     * Creates the route.
     *
     * @param files returns a file by its name, and the page for an empty name; null if there is no such file
     */
    public ConsoleRoute(Function<String, Page> files) {
        this.files = files;
    }

    @Override
    public CompletionStage<HttpResponse> serve(DoorRequest request) {
        request.http().abort();
        String path = request.context().decodedPath();
        Page file = files.apply(path.startsWith(PREFIX) ? path.substring(PREFIX.length()) : "");
        if (file == null) {
            throw new ProblemException(Problem.of(404, "not-found", "the console has no such file"));
        }
        request.respond(file.body().length);
        String tag = file.headers().get(ETAG);
        boolean known = tag != null && tag.equals(request.headers().get(HttpHeaderNames.IF_NONE_MATCH));
        return CompletableFuture.completedFuture(
                known
                        ? HttpResponse.of(ResponseHeaders.of(HttpStatus.NOT_MODIFIED, HttpHeaderNames.ETAG, tag))
                        : file.withHeader("X-Content-Type-Options", "nosniff").response());
    }
}

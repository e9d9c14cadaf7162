package io.iocluster.door.server;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import io.iocluster.door.http.DoorPages;
import io.iocluster.door.http.DoorPages.Page;
import io.iocluster.door.http.DoorRequest;
import io.iocluster.door.http.Problem;
import io.iocluster.door.route.AnswersRoute;
import io.iocluster.door.route.BatchRoute;
import io.iocluster.door.route.ConsoleRoute;
import io.iocluster.door.route.CreateCallRoute;
import io.iocluster.door.route.DoorRoute;
import io.iocluster.door.route.ForwardRoute;
import io.iocluster.door.route.GetCallRoute;
import io.iocluster.door.route.StatusRoute;
import io.iocluster.door.server.RouteTable.Access;
import io.iocluster.door.server.RouteTable.Entry;
import io.iocluster.status.json.OpenApi;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The routes of the door. Immutable.
 *
 * @param notReady returns why the door is not ready; null if it is
 */
public record DoorRoutes(
        CreateCallRoute create,
        GetCallRoute get,
        BatchRoute batch,
        AnswersRoute answers,
        ForwardRoute forward,
        StatusRoute status,
        Supplier<String> notReady,
        DoorPages pages) {

    static final String OPEN_API = "openapi.json";
    static final String BATCH = "/v1/calls:batch";

    List<Entry> entries() {
        return List.of(
                new Entry("create-call", "POST", "/v1/calls", Access.APP, create),
                new Entry("batch", "POST", BATCH, Access.APP, batch),
                new Entry("get-call", "GET", "/v1/calls/{id}", Access.APP, get),
                new Entry("answers", "GET", "/v1/answers", Access.APP, answers),
                new Entry("forward", "*", "/v1/forward/{url}", Access.APP, forward),
                new Entry("status", "GET", "/v1/status", Access.STATUS, status),
                new Entry("console", "GET", "/console", Access.PROBE, new ConsoleRoute(pages.console())),
                new Entry("console", "GET", "/console/{file}", Access.PROBE, new ConsoleRoute(pages.console())),
                new Entry("openapi", "GET", "/v1/openapi.json", Access.OPEN, page(accept -> openApi())),
                new Entry("livez", "GET", "/livez", Access.PROBE, page(accept -> text("ok\n"))),
                new Entry("readyz", "GET", "/readyz", Access.PROBE, this::ready),
                new Entry("metrics", "GET", "/metrics", Access.METRICS, slow(page(pages.metrics()))));
    }

    private CompletableFuture<HttpResponse> ready(DoorRequest request) {
        String problem = notReady.get();
        if (problem == null) {
            return page(accept -> text("ready\n")).serve(request).toCompletableFuture();
        }
        request.http().abort();
        return CompletableFuture.completedFuture(
                Problem.retryable(503, "not-ready", problem).response());
    }

    /** Renders the page on another thread, because it takes longer than an event loop may be busy. */
    private static DoorRoute slow(DoorRoute page) {
        return request -> CompletableFuture.supplyAsync(
                        () -> page.serve(request), request.context().blockingTaskExecutor())
                .thenCompose(Function.identity());
    }

    private static DoorRoute page(Function<String, Page> pages) {
        return request -> {
            request.http().abort();
            Page page = pages.apply(request.headers().get(HttpHeaderNames.ACCEPT));
            request.respond(page.body().length);
            return CompletableFuture.completedFuture(
                    page.withHeader("cache-control", "no-store").response());
        };
    }

    private static Page text(String text) {
        return new Page(MediaType.PLAIN_TEXT_UTF_8.toString(), text.getBytes(StandardCharsets.UTF_8));
    }

    private static Page openApi() {
        return new Page("application/json", OpenApi.complete(DoorRoutes.class, OPEN_API));
    }
}

package io.iocluster.door.server;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.iocluster.door.access.AccessControl;
import io.iocluster.door.access.AccessControl.Allowed;
import io.iocluster.door.access.AccessControl.Decision;
import io.iocluster.door.access.AccessControl.Denied;
import io.iocluster.door.access.AnswerBudget;
import io.iocluster.door.access.App;
import io.iocluster.door.access.BodyBudget;
import io.iocluster.door.access.Caller;
import io.iocluster.door.http.DoorRequest;
import io.iocluster.door.http.Problem;
import io.iocluster.door.http.ProblemException;
import io.iocluster.door.http.RefusedBody;
import io.iocluster.door.listener.HeaderChecks;
import io.iocluster.door.server.RouteTable.Access;
import io.iocluster.door.server.RouteTable.Entry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses the route of each request and checks its caller. Runs on the event loop of the request. Thread-safe. */
final class DoorService implements HttpService {

    private static final Logger LOG = LoggerFactory.getLogger(DoorService.class);

    private final RouteTable routes;
    private final AccessControl access;
    private final RequestLog log;
    private final BodyBudget bodies;
    private final AnswerBudget answers;

    DoorService(RouteTable routes, AccessControl access, RequestLog log, BodyBudget bodies, AnswerBudget answers) {
        this.routes = routes;
        this.access = access;
        this.log = log;
        this.bodies = bodies;
        this.answers = answers;
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
        if (HeaderChecks.namesTwoHosts(request.headers())) {
            log.start(context, "none", null);
            return refuse(
                    context,
                    request,
                    Problem.of(400, "invalid-request", "the request must name one host, in one header Host"));
        }
        List<Entry> withPath = routes.withPath(context.decodedPath());
        Entry route = withPath.stream()
                .filter(each -> each.hasMethod(request.method().name()))
                .findFirst()
                .orElse(null);
        if (route == null) {
            log.start(context, "none", null);
            return refuse(context, request, noRoute(context, withPath));
        }
        App app = null;
        if (route.access() != Access.PROBE) {
            boolean forward = route.name().equals("forward");
            Caller caller = caller(context, request.headers(), forward);
            Decision decision = decide(route.access(), caller);
            if (decision instanceof Denied denied) {
                log.start(context, route.name(), null);
                return refuse(context, request, problem(denied, forward));
            }
            app = ((Allowed) decision).app();
        }
        if (!log.start(context, route.name(), app)) {
            return refuse(context, request, DoorRequest.tooMany());
        }
        return HttpResponse.of(answer(route, new DoorRequest(context, request, app, bodies, answers)));
    }

    private Decision decide(Access required, Caller caller) {
        return switch (required) {
            case APP -> access.check(caller);
            case STATUS -> access.checkStatus(caller);
            case METRICS -> access.checkMetrics(caller);
            case OPEN, PROBE -> access.checkOpen(caller);
        };
    }

    private static HttpResponse refuse(ServiceRequestContext context, HttpRequest request, Problem problem) {
        return HttpResponse.of(RefusedBody.drop(context, request).thenApply(dropped -> problem.response()));
    }

    private static Problem noRoute(ServiceRequestContext context, List<Entry> withPath) {
        return withPath.isEmpty()
                ? Problem.of(404, "not-found", "there is no such path; /v1/openapi.json describes all")
                : Problem.of(405, "method-not-allowed", "the path does not support " + context.method())
                        .withHeader("allow", RouteTable.methods(withPath));
    }

    private static Problem problem(Denied denied, boolean forward) {
        if (!denied.authenticate()) {
            return Problem.of(403, "forbidden", denied.message());
        }
        return forward
                ? Problem.of(
                                407,
                                "unauthorized",
                                denied.message()
                                        + "; send Proxy-Authorization: Bearer <token> or IOCluster-Token: <token>")
                        .withHeader("proxy-authenticate", "Bearer")
                : Problem.of(401, "unauthorized", denied.message() + "; send Authorization: Bearer <token>")
                        .withHeader("www-authenticate", "Bearer");
    }

    /** Reads what a request says about its caller. A forwarded request has the token for the target in {@code Authorization}. */
    private Caller caller(ServiceRequestContext context, RequestHeaders headers, boolean forward) {
        String token = HeaderChecks.bearerToken(
                headers.get(forward ? HttpHeaderNames.PROXY_AUTHORIZATION : HttpHeaderNames.AUTHORIZATION));
        if (token == null && forward) {
            // Some HTTP clients send no Proxy-Authorization to a server that is not their proxy.
            token = headers.get("iocluster-token");
        }
        return new Caller(
                token,
                access.certificateName(context.sslSession()),
                headers.get("iocluster-app"),
                headers.authority(),
                headers.get(HttpHeaderNames.ORIGIN),
                headers.get(HttpHeaderNames.SEC_FETCH_SITE));
    }

    private static CompletionStage<HttpResponse> answer(Entry route, DoorRequest request) {
        CompletionStage<HttpResponse> answered;
        try {
            answered = route.route().serve(request);
        } catch (RuntimeException | Error failure) {
            answered = RefusedBody.drop(request.context(), request.http())
                    .thenCompose(dropped -> CompletableFuture.failedFuture(failure));
        }
        return answered.exceptionally(failure -> {
            Throwable cause = Exceptions.peel(failure);
            if (cause instanceof ProblemException refused) {
                return refused.problem().response();
            }
            LOG.error("Request failed route={}", route.name(), cause);
            return Problem.of(500, "internal", "a defect in the door; its log has the details")
                    .response();
        });
    }
}

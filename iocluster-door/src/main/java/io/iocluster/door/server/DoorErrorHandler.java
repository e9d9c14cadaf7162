package io.iocluster.door.server;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.ContentTooLargeException;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.RequestTimeoutException;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.iocluster.door.http.DoorRequest;
import io.iocluster.door.http.Problem;
import io.iocluster.door.route.ForwardRoute;
import java.util.List;

/** Converts errors that Armeria raises to problems. Immutable. */
final class DoorErrorHandler implements ServerErrorHandler {

    private final RouteTable routes;

    DoorErrorHandler(RouteTable routes) {
        this.routes = routes;
    }

    @Override
    public HttpResponse onServiceException(ServiceRequestContext context, Throwable cause) {
        if (cause instanceof RequestTimeoutException) {
            boolean received = context.log().isRequestComplete();
            return (received
                            ? Problem.of(504, "deadline-exceeded", "the call did not end in time")
                            : DoorRequest.timeout())
                    .response();
        }
        if (cause instanceof ContentTooLargeException) {
            return DoorRequest.tooLarge(context.maxRequestLength()).response();
        }
        return null; // Armeria then calls renderStatus with the status that it chose.
    }

    @Override
    public AggregatedHttpResponse renderStatus(
            ServiceRequestContext context,
            ServiceConfig config,
            RequestHeaders headers,
            HttpStatus status,
            String description,
            Throwable cause) {
        String code = switch (status.code()) {
            case 405 -> "method-not-allowed";
            case 413, 431 -> "request-too-large";
            default -> "invalid-request";
        };
        Problem problem = withAllow(
                Problem.of(
                        status.code(),
                        status.isServerError() ? "internal" : code,
                        description == null ? status.reasonPhrase() : detail(description)),
                headers);
        return AggregatedHttpResponse.of(problem.responseHeaders(), HttpData.wrap(problem.body()));
    }

    /** Adds the allowed methods if Armeria refused a method that it does not know. */
    private Problem withAllow(Problem problem, RequestHeaders headers) {
        if (problem.status() != 405) {
            return problem;
        }
        List<RouteTable.Entry> withPath = headers == null ? List.of() : routes.withPath(headers.path());
        return problem.withHeader("allow", RouteTable.methods(withPath.isEmpty() ? routes.all() : withPath));
    }

    /** Explains what Armeria refuses if a client uses the door as a proxy, such as {@code GET http://target/} or {@code CONNECT}. */
    private static String detail(String description) {
        return description.startsWith("Invalid request path") || description.startsWith("Unsupported method")
                ? description
                        + "; the door is not a proxy: instead of setting a proxy, put the address of the door"
                        + " and " + ForwardRoute.PREFIX + " before the URL, such as http://127.0.0.1:8081"
                        + ForwardRoute.PREFIX + "https://partner.example/"
                : description;
    }
}

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

/** Converts errors that Armeria raises to problems. Stateless. */
final class DoorErrorHandler implements ServerErrorHandler {

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
        String code = status.code() == 413 || status.code() == 431 ? "request-too-large" : "invalid-request";
        Problem problem = Problem.of(
                status.code(),
                status.isServerError() ? "internal" : code,
                description == null ? status.reasonPhrase() : description);
        return AggregatedHttpResponse.of(problem.responseHeaders(), HttpData.wrap(problem.body()));
    }
}

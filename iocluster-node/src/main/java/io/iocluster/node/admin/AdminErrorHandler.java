package io.iocluster.node.admin;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;

/** Converts errors that Armeria raises before a request reaches the API to {@code {"error": "…"}}. Stateless. */
final class AdminErrorHandler implements ServerErrorHandler {

    @Override
    public HttpResponse onServiceException(ServiceRequestContext context, Throwable cause) {
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
        String message = status.equals(HttpStatus.REQUEST_ENTITY_TOO_LARGE)
                ? "the body is larger than " + AdminServer.MAX_BODY_BYTES + " bytes"
                : description == null ? status.reasonPhrase() : description;
        return AggregatedHttpResponse.of(
                status,
                MediaType.JSON,
                AdminResponse.error(status.code(), message).body());
    }
}

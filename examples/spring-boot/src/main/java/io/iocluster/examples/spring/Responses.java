package io.iocluster.examples.spring;

import io.iocluster.client.CallTimeoutException;
import io.iocluster.client.ClientClosedException;
import io.iocluster.client.ClientFullException;
import io.iocluster.client.IoClusterException;
import io.iocluster.client.NotEnqueuedException;
import io.iocluster.message.Answer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Maps answers, and exceptions of calls without an answer, to responses of this service. */
@RestControllerAdvice
class Responses {

    /** Returns the partner's response unchanged, even a 404, or an error. */
    static ResponseEntity<?> of(Answer answer) {
        return switch (answer.outcome()) {
            case ANSWERED -> forwarded(answer);
            case FAILED -> problem(statusOf(answer.errorCode()), answer.errorCode());
            case EXPIRED -> problem(HttpStatus.GATEWAY_TIMEOUT, answer.errorCode());
            // A bug in this service: the request is invalid or the node's policy forbids it, so the partner was not
            // called.
            case REJECTED -> problem(HttpStatus.INTERNAL_SERVER_ERROR, answer.errorCode());
        };
    }

    private static ResponseEntity<byte[]> forwarded(Answer answer) {
        ResponseEntity.BodyBuilder response = ResponseEntity.status(answer.status());
        String type = answer.header(HttpHeaders.CONTENT_TYPE);
        if (type != null) {
            response.contentType(MediaType.parseMediaType(type));
        }
        return response.body(answer.body());
    }

    private static HttpStatus statusOf(String code) {
        return switch (code) {
            case "timeout", "connect-timeout" -> HttpStatus.GATEWAY_TIMEOUT;
            case "app-over-quota", "destination-full", "breaker-open" -> HttpStatus.SERVICE_UNAVAILABLE;
            default -> HttpStatus.BAD_GATEWAY;
        };
    }

    /** Handles a call without an answer. */
    @ExceptionHandler
    ResponseEntity<ProblemDetail> unanswered(IoClusterException failure) {
        return problem(statusOf(failure), failure.getMessage());
    }

    private static HttpStatus statusOf(IoClusterException failure) {
        if (failure instanceof CallTimeoutException) {
            return HttpStatus.GATEWAY_TIMEOUT;
        }
        boolean retryable = failure instanceof ClientFullException
                || failure instanceof NotEnqueuedException
                || failure instanceof ClientClosedException;
        return retryable ? HttpStatus.SERVICE_UNAVAILABLE : HttpStatus.BAD_GATEWAY;
    }

    private static ResponseEntity<ProblemDetail> problem(HttpStatus status, String detail) {
        ResponseEntity.BodyBuilder response = ResponseEntity.status(status);
        if (status == HttpStatus.SERVICE_UNAVAILABLE) {
            response.header(HttpHeaders.RETRY_AFTER, "1");
        }
        return response.body(ProblemDetail.forStatusAndDetail(status, detail));
    }
}

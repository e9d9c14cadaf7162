package io.iocluster.door.grpc;

import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.iocluster.door.http.Problem;
import java.util.concurrent.TimeUnit;

/** Converts problems to statuses of gRPC. Stateless. */
final class GrpcProblems {

    /** The trailing metadata with the stable code of a problem. */
    static final Metadata.Key<String> CODE = key(Problem.CODE_HEADER);

    private static final String RETRY_AFTER = "retry-after";

    /** Clients of gRPC that retry by a policy wait for this time (gRFC A6). */
    private static final Metadata.Key<String> RETRY_PUSHBACK = key("grpc-retry-pushback-ms");

    private GrpcProblems() {}

    static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    /** Returns the exception that ends a request with this problem. */
    static StatusRuntimeException exception(Problem problem) {
        return status(problem).asRuntimeException(trailers(problem));
    }

    static Status status(Problem problem) {
        return code(problem.status()).toStatus().withDescription(problem.detail());
    }

    static Metadata trailers(Problem problem) {
        Metadata trailers = new Metadata();
        trailers.put(CODE, problem.code());
        // Other headers are about the connection of HTTP/1, and are not valid in HTTP/2.
        problem.headers().forEach((name, value) -> {
            if (name.equals(RETRY_AFTER) || name.startsWith("iocluster-")) {
                trailers.put(key(name), value);
            }
        });
        if (problem.headers().containsKey(RETRY_AFTER)) {
            trailers.put(RETRY_PUSHBACK, Long.toString(retryAfterMillis(problem)));
        }
        return trailers;
    }

    /** Returns the problem as a message of a stream. */
    static io.iocluster.v1.Problem message(Problem problem) {
        io.iocluster.v1.Problem.Builder message = io.iocluster.v1.Problem.newBuilder()
                .setCode(problem.code())
                .setDetail(problem.detail())
                .setStatus(code(problem.status()).value());
        if (problem.headers().containsKey(RETRY_AFTER)) {
            message.setRetryAfterMs(retryAfterMillis(problem));
        }
        return message.build();
    }

    private static long retryAfterMillis(Problem problem) {
        return TimeUnit.SECONDS.toMillis(Long.parseLong(problem.headers().get(RETRY_AFTER)));
    }

    private static Status.Code code(int status) {
        return switch (status) {
            case 400 -> Status.Code.INVALID_ARGUMENT;
            case 401 -> Status.Code.UNAUTHENTICATED;
            case 403 -> Status.Code.PERMISSION_DENIED;
            case 404 -> Status.Code.NOT_FOUND;
            case 408, 504 -> Status.Code.DEADLINE_EXCEEDED;
            case 409 -> Status.Code.ALREADY_EXISTS;
            case 413, 429 -> Status.Code.RESOURCE_EXHAUSTED;
            case 500 -> Status.Code.INTERNAL;
            case 503 -> Status.Code.UNAVAILABLE;
            default -> Status.Code.UNKNOWN;
        };
    }

    /** Returns the status of HTTP for metrics and logs. */
    static int httpStatus(Status.Code code) {
        return switch (code) {
            case OK -> 200;
            case INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE -> 400;
            case UNAUTHENTICATED -> 401;
            case PERMISSION_DENIED -> 403;
            case NOT_FOUND, UNIMPLEMENTED -> 404;
            case ALREADY_EXISTS, ABORTED -> 409;
            case RESOURCE_EXHAUSTED -> 429;
            case CANCELLED -> 499;
            case UNKNOWN -> 502;
            case UNAVAILABLE -> 503;
            case DEADLINE_EXCEEDED -> 504;
            case INTERNAL, DATA_LOSS -> 500;
        };
    }
}

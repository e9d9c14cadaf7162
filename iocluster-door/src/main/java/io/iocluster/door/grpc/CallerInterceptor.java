package io.iocluster.door.grpc;

import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.health.v1.HealthGrpc;
import io.iocluster.door.access.AccessControl;
import io.iocluster.door.access.AccessControl.Allowed;
import io.iocluster.door.access.AccessControl.Decision;
import io.iocluster.door.access.AccessControl.Denied;
import io.iocluster.door.access.Caller;
import io.iocluster.door.http.DoorRequest;
import io.iocluster.door.http.Problem;
import io.iocluster.door.intake.CallStarter;
import io.iocluster.door.listener.HeaderChecks;
import io.iocluster.v1.CallsGrpc;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Checks the caller of each request and the number of open requests before its handler. A health check needs neither token nor
 * certificate, and reflection needs no token. Thread-safe.
 */
final class CallerInterceptor implements ServerInterceptor {

    private final AccessControl access;
    private final CallStarter starter;
    private final BooleanSupplier hasTooMany;
    private final Duration arriveWithin;
    private final ScheduledExecutorService scheduler;

    /**
     * Creates the interceptor.
     *
     * @param starter reads trace contexts
     * @param hasTooMany whether more requests are open than the door allows, including the one that starts
     * @param arriveWithin longest time for a request with one message, or for one message of a stream, to arrive
     * @param scheduler runs short tasks
     */
    CallerInterceptor(
            AccessControl access,
            CallStarter starter,
            BooleanSupplier hasTooMany,
            Duration arriveWithin,
            ScheduledExecutorService scheduler) {
        this.access = access;
        this.starter = starter;
        this.hasTooMany = hasTooMany;
        this.arriveWithin = arriveWithin;
        this.scheduler = scheduler;
    }

    @Override
    public <Q, A> Listener<Q> interceptCall(ServerCall<Q, A> original, Metadata headers, ServerCallHandler<Q, A> next) {
        GrpcRequest request = GrpcRequest.current();
        ServerCall<Q, A> call = new CallWithTrailers<>(original, request);
        String service = call.getMethodDescriptor().getServiceName();
        if (!HealthGrpc.SERVICE_NAME.equals(service)) {
            boolean makesCalls = CallsGrpc.SERVICE_NAME.equals(service);
            Caller caller = caller(call, headers);
            Decision decision = makesCalls ? access.check(caller) : access.checkOpen(caller);
            if (decision instanceof Denied denied) {
                close(call, problem(denied));
                return new Listener<>() {};
            }
            if (makesCalls) {
                request.setCaller(
                        ((Allowed) decision).app(), starter.readTrace(name -> headers.get(GrpcProblems.key(name))));
            }
        }
        if (hasTooMany.getAsBoolean()) {
            close(call, DoorRequest.tooMany());
            return new Listener<>() {};
        }
        boolean oneMessage = call.getMethodDescriptor().getType().clientSendsOneMessage();
        boolean reflects = !oneMessage && !CallsGrpc.SERVICE_NAME.equals(service);
        if (reflects) {
            limitMessages(call, request);
        }
        Listener<Q> handler = next.startCall(call, headers);
        if (oneMessage) {
            return RequestTimeoutListener.expect(handler, call, request, arriveWithin, scheduler);
        }
        return reflects ? requireValid(handler, call, request) : handler;
    }

    /** Ends a stream of reflection whose message does not arrive in time, or for which the door has no memory. */
    private void limitMessages(ServerCall<?, ?> call, GrpcRequest request) {
        request.onRefused(problem -> scheduler.execute(() -> close(call, problem)));
        request.limitArrival(() -> scheduler.schedule(
                () -> close(call, DoorRequest.timeout()), arriveWithin.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** Ends a stream of reflection when a message is not valid. */
    private static <Q> Listener<Q> requireValid(Listener<Q> handler, ServerCall<Q, ?> call, GrpcRequest request) {
        return new CheckedMessages<>(handler, request) {
            @Override
            void refuse(Problem problem) {
                close(call, problem);
            }
        };
    }

    private static void close(ServerCall<?, ?> call, Problem problem) {
        call.close(GrpcProblems.status(problem), GrpcProblems.trailers(problem));
    }

    private Caller caller(ServerCall<?, ?> call, Metadata headers) {
        return new Caller(
                HeaderChecks.bearerToken(text(headers, "authorization")),
                access.certificateName(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION)),
                text(headers, "iocluster-app"),
                call.getAuthority(),
                text(headers, "origin"),
                text(headers, "sec-fetch-site"));
    }

    private static String text(Metadata headers, String name) {
        return headers.get(GrpcProblems.key(name));
    }

    private static Problem problem(Denied denied) {
        return denied.authenticate()
                ? Problem.of(
                        401, "unauthorized", denied.message() + "; send the metadata authorization: Bearer <token>")
                : Problem.of(403, "forbidden", denied.message());
    }
}

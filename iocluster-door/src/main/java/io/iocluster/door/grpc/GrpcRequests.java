package io.iocluster.door.grpc;

import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.iocluster.door.access.AnswerBudget;
import io.iocluster.door.access.BodyBudget;
import io.iocluster.door.meter.AccessLog;
import io.iocluster.thread.NodeClock;
import io.iocluster.v1.CallsGrpc;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Creates the record of each request, and counts the open ones. Thread-safe. */
final class GrpcRequests extends ServerStreamTracer.Factory {

    /** The names in metrics and logs. */
    private static final Map<String, String> ROUTES = Map.of(
            CallsGrpc.getCallMethod().getFullMethodName(), "grpc-call",
            CallsGrpc.getCallAsyncMethod().getFullMethodName(), "grpc-call-async",
            CallsGrpc.getGetCallMethod().getFullMethodName(), "grpc-get-call",
            CallsGrpc.getStreamCallsMethod().getFullMethodName(), "grpc-stream-calls");

    private static final String OTHER = "grpc-other";

    private final BodyBudget bodies;
    private final AnswerBudget unread;
    private final AccessLog log;
    private final Connections connections;
    private final long maxMessage;
    private final NodeClock clock;
    private final AtomicInteger open = new AtomicInteger();

    GrpcRequests(
            BodyBudget bodies,
            AnswerBudget unread,
            AccessLog log,
            Connections connections,
            long maxMessage,
            NodeClock clock) {
        this.clock = clock;
        this.bodies = bodies;
        this.unread = unread;
        this.log = log;
        this.connections = connections;
        this.maxMessage = maxMessage;
    }

    @Override
    public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
        open.incrementAndGet();
        return new GrpcRequest(
                ROUTES.getOrDefault(fullMethodName, OTHER),
                bodies,
                unread,
                log,
                connections,
                maxMessage,
                open::decrementAndGet,
                clock);
    }

    /** Returns the number of requests whose response the caller has not read completely. */
    int open() {
        return open.get();
    }
}

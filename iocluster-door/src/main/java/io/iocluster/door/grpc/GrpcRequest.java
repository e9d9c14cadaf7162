package io.iocluster.door.grpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.iocluster.door.access.AnswerBudget;
import io.iocluster.door.access.AnswerBudget.Unread;
import io.iocluster.door.access.App;
import io.iocluster.door.access.BodyBudget;
import io.iocluster.door.http.DoorRequest;
import io.iocluster.door.http.Problem;
import io.iocluster.door.intake.CallProblems;
import io.iocluster.door.meter.AccessLog;
import io.iocluster.producer.AppName;
import io.iocluster.thread.NodeClock;
import io.iocluster.transport.TraceContext;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A request to the gRPC server. Reserves the bytes of its messages in the budget as they arrive, and is recorded when it ends. Thread-safe.
 */
final class GrpcRequest extends ServerStreamTracer {

    private static final Context.Key<GrpcRequest> KEY = Context.key("iocluster-request");
    /** Maximum size of a message of a request that needs no token. Those of health and reflection contain a name. */
    static final int MAX_OPEN_MESSAGE = 1_024;

    private static final Metadata.Key<String> CALL_ID = GrpcProblems.key(CallProblems.ID_HEADER);

    private final String route;
    private final BodyBudget bodies;
    private final AccessLog log;
    private final AnswerBudget answers;
    private final Runnable disconnect;
    private final long maxMessage;
    private final Runnable onClosed;
    private final NodeClock clock;
    private final long started;

    @GuardedBy("this")
    private final Metadata trailers = new Metadata();

    @GuardedBy("this")
    private App app;

    /** The unread bytes of the response; null until it has some. */
    @GuardedBy("this")
    private Unread unread;

    @GuardedBy("this")
    private TraceContext trace;

    @GuardedBy("this")
    private String code;

    /** Whether the problem is that of a call that was started, which is counted when the call ends. */
    @GuardedBy("this")
    private boolean ofCall;

    @GuardedBy("this")
    private SocketAddress remote;

    @GuardedBy("this")
    private long requestBytes;

    @GuardedBy("this")
    private long responseBytes;

    /** The reserved bytes that {@link #streamClosed} releases. */
    @GuardedBy("this")
    private long reserved;

    @GuardedBy("this")
    private boolean closed;

    /** Bytes of the message that arrives. */
    @GuardedBy("this")
    private long messageBytes;

    /** Why the message that arrives is refused; null if it is not. */
    @GuardedBy("this")
    private Problem refusal;

    /** Why the message that has arrived is not valid; null if it is valid. */
    @GuardedBy("this")
    private Problem messageProblem;

    @GuardedBy("this")
    private Consumer<Problem> onRefused = problem -> {};

    /** Starts the time in which a message must arrive; null if that is not limited. */
    @GuardedBy("this")
    private Supplier<Future<?>> arrivalTimer;

    /** Ends the request if the rest of the message that arrives is late; null while none arrives. */
    @GuardedBy("this")
    private Future<?> late;

    /**
     * Creates a request.
     *
     * @param route the name in metrics and logs
     * @param maxMessage maximum size of a message in bytes, as it arrives
     * @param onClosed runs once when the request has ended
     */
    GrpcRequest(
            String route,
            BodyBudget bodies,
            AnswerBudget answers,
            AccessLog log,
            Connections connections,
            long maxMessage,
            Runnable onClosed,
            NodeClock clock) {
        this.clock = clock;
        this.started = clock.nanos();
        this.route = route;
        this.bodies = bodies;
        this.log = log;
        this.maxMessage = maxMessage;
        this.onClosed = onClosed;
        this.answers = answers;
        this.disconnect = () -> disconnect(connections);
    }

    /** Returns the request whose handler runs. */
    static GrpcRequest current() {
        return KEY.get();
    }

    @Override
    public Context filterContext(Context context) {
        return context.withValue(KEY, this);
    }

    @Override
    public synchronized void serverCallStarted(ServerCallInfo<?, ?> call) {
        remote = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
    }

    private void disconnect(Connections connections) {
        SocketAddress client;
        synchronized (this) {
            client = remote;
        }
        if (client != null) {
            connections.disconnect(client);
        }
    }

    /** Returns the bytes of the response that the caller has not read. A caller that does not read is disconnected. */
    synchronized Unread unread() {
        if (unread == null) {
            unread = answers.open(appName(), disconnect);
        }
        return unread;
    }

    /** Sets the caller. */
    synchronized void setCaller(App caller, TraceContext context) {
        app = caller;
        trace = context;
    }

    synchronized App app() {
        return app;
    }

    /** Returns the name of the app; {@code unknown} for requests that need no token. */
    synchronized String appName() {
        return app == null ? AppName.UNKNOWN : app.name();
    }

    /** Returns the trace context of the caller; null for none. */
    synchronized TraceContext trace() {
        return trace;
    }

    /** Adds trailing metadata to a successful response. */
    synchronized <T> void addTrailer(Metadata.Key<T> key, T value) {
        trailers.put(key, value);
    }

    /** Merges the added metadata into that of the response, which is about to be sent. */
    synchronized void completeTrailers(Metadata response) {
        response.merge(trailers);
        String sent = response.get(GrpcProblems.CODE);
        if (sent != null) {
            code = sent;
            ofCall = response.containsKey(CALL_ID);
        }
    }

    /** Sets the problem of the message that has arrived. */
    synchronized void setMessageProblem(Problem problem) {
        messageProblem = problem;
    }

    /** Removes and returns the problem of the message that has arrived; null if the message is valid. */
    synchronized Problem takeMessageProblem() {
        Problem taken = messageProblem;
        messageProblem = null;
        return taken;
    }

    /** Runs the task once if the message that arrives is too large, or the door has no memory for it: at once if that has happened. */
    void onRefused(Consumer<Problem> task) {
        Problem earlier;
        synchronized (this) {
            onRefused = task;
            earlier = refusal;
        }
        if (earlier != null) {
            task.accept(earlier);
        }
    }

    /**
     * Limits the time between the first and the last byte of each message.
     *
     * @param timer schedules what ends the request
     */
    synchronized void limitArrival(Supplier<Future<?>> timer) {
        arrivalTimer = timer;
    }

    @Override
    public synchronized void inboundMessageRead(int number, long wireBytes, long bytes) {
        cancelLate();
        messageBytes = 0;
        if (app == null) {
            // Its handler answers at once, and the request may last long.
            bodies.release(appName(), takeReserved());
        }
    }

    @GuardedBy("this")
    private void cancelLate() {
        if (late != null) {
            late.cancel(false);
            late = null;
        }
    }

    @Override
    public void inboundWireSize(long bytes) {
        Consumer<Problem> task;
        Problem problem;
        synchronized (this) {
            requestBytes += bytes;
            messageBytes += bytes;
            if (late == null && arrivalTimer != null && !closed) {
                late = arrivalTimer.get();
            }
            if (refusal != null) {
                return;
            }
            long limit = app == null ? MAX_OPEN_MESSAGE : maxMessage;
            boolean tooLarge = messageBytes > limit;
            if (!tooLarge && tryReserve(bytes)) {
                return;
            }
            problem = tooLarge ? DoorRequest.tooLarge(limit) : DoorRequest.bodiesFull(appName());
            refusal = problem;
            task = onRefused;
        }
        task.accept(problem);
    }

    /** Reserves more bytes if fewer than these are reserved. Returns false if they are not free. */
    synchronized boolean tryReserveAtLeast(long bytes) {
        return bytes <= reserved || tryReserve(bytes - reserved);
    }

    /** Reserves more bytes until the request ends. Returns false if they are not free. */
    private synchronized boolean tryReserve(long bytes) {
        if (closed) {
            return true;
        }
        if (!bodies.tryReserve(appName(), bytes)) {
            return false;
        }
        reserved += bytes;
        return true;
    }

    /** Returns the reserved bytes, which the caller of this method now releases. */
    synchronized long takeReserved() {
        long taken = reserved;
        reserved = 0;
        return taken;
    }

    @Override
    public synchronized void outboundWireSize(long bytes) {
        responseBytes += bytes;
    }

    @Override
    public synchronized void streamClosed(Status status) {
        closed = true;
        onClosed.run();
        cancelLate();
        unread().end();
        bodies.release(appName(), takeReserved());
        log.ended(new AccessLog.Request(
                route,
                "gRPC",
                app,
                GrpcProblems.httpStatus(status.getCode()),
                code,
                ofCall,
                clock.nanos() - started,
                requestBytes,
                responseBytes,
                remote instanceof InetSocketAddress internet
                        ? internet.getAddress().getHostAddress()
                        : "-"));
    }
}

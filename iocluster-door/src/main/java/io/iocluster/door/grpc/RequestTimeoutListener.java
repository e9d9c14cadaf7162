package io.iocluster.door.grpc;

import io.grpc.ServerCall;
import io.grpc.ServerCall.Listener;
import io.iocluster.door.http.DoorRequest;
import io.iocluster.door.http.Problem;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Ends a request whose only message does not arrive in time, is not valid, or does not fit into the memory of the door. Thread-safe. */
final class RequestTimeoutListener<Q> extends CheckedMessages<Q> {

    private enum State {
        ARRIVING,
        ARRIVED,
        REFUSED
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.ARRIVING);
    private final ServerCall<Q, ?> call;
    private final Future<?> timeout;

    private RequestTimeoutListener(
            Listener<Q> handler,
            ServerCall<Q, ?> call,
            GrpcRequest request,
            Duration within,
            ScheduledExecutorService scheduler) {
        super(handler, request);
        this.call = call;
        this.timeout =
                scheduler.schedule(() -> refuse(DoorRequest.timeout()), within.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Returns a listener that passes the request to its handler if it arrives within this time.
     *
     * @param scheduler runs short tasks
     */
    static <Q> Listener<Q> expect(
            Listener<Q> handler,
            ServerCall<Q, ?> call,
            GrpcRequest request,
            Duration within,
            ScheduledExecutorService scheduler) {
        RequestTimeoutListener<Q> listener = new RequestTimeoutListener<>(handler, call, request, within, scheduler);
        // On another thread, because this one is in the middle of a message.
        request.onRefused(problem -> scheduler.execute(() -> listener.refuse(problem)));
        return listener;
    }

    @Override
    void refuse(Problem problem) {
        if (state.compareAndSet(State.ARRIVING, State.REFUSED)) {
            timeout.cancel(false);
            call.close(GrpcProblems.status(problem), GrpcProblems.trailers(problem));
        }
    }

    @Override
    public void onHalfClose() {
        if (state.compareAndSet(State.ARRIVING, State.ARRIVED)) {
            timeout.cancel(false);
            super.onHalfClose();
        }
    }

    @Override
    public void onCancel() {
        timeout.cancel(false);
        super.onCancel();
    }

    @Override
    public void onComplete() {
        timeout.cancel(false);
        super.onComplete();
    }
}

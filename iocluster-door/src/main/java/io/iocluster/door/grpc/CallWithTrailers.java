package io.iocluster.door.grpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A gRPC call that ends with the trailers of its {@link GrpcRequest}. Only the first {@link #close} has an effect, because a limit may
 * close the call on another thread. Otherwise as thread-safe as the original.
 */
final class CallWithTrailers<Q, A> extends SimpleForwardingServerCall<Q, A> {

    private final GrpcRequest request;
    private final AtomicBoolean closed = new AtomicBoolean();

    CallWithTrailers(ServerCall<Q, A> original, GrpcRequest request) {
        super(original);
        this.request = request;
    }

    @Override
    public void close(Status status, Metadata trailers) {
        if (closed.compareAndSet(false, true)) {
            request.completeTrailers(trailers);
            super.close(status, trailers);
        }
    }
}

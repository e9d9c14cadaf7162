package io.iocluster.door.grpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A call of gRPC that adds the metadata of its request to the response. Only the first end counts, because a limit may end the call on
 * another thread. Otherwise as thread-safe as the original.
 */
final class RecordedCall<Q, A> extends SimpleForwardingServerCall<Q, A> {

    private final GrpcRequest request;
    private final AtomicBoolean closed = new AtomicBoolean();

    RecordedCall(ServerCall<Q, A> original, GrpcRequest request) {
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

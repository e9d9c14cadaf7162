package io.iocluster.door.grpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;

/** A call of gRPC that adds the metadata of its request to the response. As thread-safe as the original. */
final class RecordedCall<Q, A> extends SimpleForwardingServerCall<Q, A> {

    private final GrpcRequest request;

    RecordedCall(ServerCall<Q, A> original, GrpcRequest request) {
        super(original);
        this.request = request;
    }

    @Override
    public void close(Status status, Metadata trailers) {
        request.completeTrailers(trailers);
        super.close(status, trailers);
    }
}

package io.iocluster.door.grpc;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.ServerCall.Listener;
import io.iocluster.door.http.Problem;

/** Passes messages to the handler of a request, except those that {@link LimitedMarshaller} could not read. */
abstract class CheckedMessages<Q> extends SimpleForwardingServerCallListener<Q> {

    private final GrpcRequest request;

    CheckedMessages(Listener<Q> handler, GrpcRequest request) {
        super(handler);
        this.request = request;
    }

    /** Ends the request with the problem of a message. */
    abstract void refuse(Problem problem);

    @Override
    public void onMessage(Q message) {
        Problem problem = request.takeMessageProblem();
        if (problem == null) {
            super.onMessage(message);
        } else {
            refuse(problem);
        }
    }
}

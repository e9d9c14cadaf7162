package io.iocluster.simulation.cluster;

import io.iocluster.simulation.broker.DelegatingSink;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.TraceContext;
import java.util.concurrent.CompletionStage;

/** Shows the listener what the pipeline of one process publishes, and what the sink says about it. Confined to the simulation's thread. */
final class ObservedSink extends DelegatingSink {

    private static final String CALL = "call";

    private final String node;
    private final ClusterListener listener;

    ObservedSink(ResponseSink sink, String node, ClusterListener listener) {
        super(sink);
        this.node = node;
        this.listener = listener;
    }

    @Override
    public boolean isKnownMissing(String replyTo) {
        boolean missing = super.isKnownMissing(replyTo);
        if (missing) {
            listener.isMissing(node, replyTo);
        }
        return missing;
    }

    @Override
    public CompletionStage<PublishResult> publish(Delivery request, byte[] answer, String replyTo, TraceContext trace) {
        CompletionStage<PublishResult> result = super.publish(request, answer, replyTo, trace);
        listener.publishes(node, request.header(CALL), replyTo, result);
        return result;
    }
}

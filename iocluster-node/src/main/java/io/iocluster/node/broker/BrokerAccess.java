package io.iocluster.node.broker;

import io.iocluster.client.spi.AnswerConsumer;
import io.iocluster.client.spi.RequestPublisher;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.PipelineEvents;
import io.iocluster.trace.Tracing;
import java.io.IOException;
import java.util.List;

/** What the commands do with a broker: run a node on it, put requests on its queue, follow its answers. */
public interface BrokerAccess {

    /** Creates the pipeline of a node on this broker, not yet started. */
    Pipeline createPipeline(NodeSettings settings, PipelineEvents events, Tracing tracing);

    /**
     * A way to put requests on the queue.
     *
     * @throws IOException if the broker cannot be reached; the message is one line for people
     */
    RequestPublisher openRequestPublisher(NodeSettings settings) throws IOException;

    /**
     * The answers from now on: what is published after this method returned. Where answers stand on a queue and not in a log,
     * those that stand there already come too, and what is taken is gone from the queue.
     *
     * @throws IOException if the broker cannot be reached; the message is one line for people
     */
    AnswerConsumer openAnswerConsumer(NodeSettings settings) throws IOException;

    /** Reaches for the broker and every queue that the settings name. */
    ProbeResult probe(NodeSettings settings);

    /**
     * What came of reaching for a broker, in lines for people.
     *
     * @param reached what is there, or will be when a node runs
     * @param warnings what does not work for every message; may be empty
     * @param problems what is wrong; empty if nothing is
     */
    record ProbeResult(List<String> reached, List<String> warnings, List<String> problems) {}
}

package io.iocluster.node.broker;

import io.iocluster.client.spi.AnswerConsumer;
import io.iocluster.client.spi.RequestPublisher;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.trace.Tracing;
import io.iocluster.transport.cluster.ClusterChannel;
import io.iocluster.transport.deadletter.DeadLetterQueue;
import java.io.IOException;
import java.util.List;

/** What the commands need from a broker: a pipeline for a node, a request publisher, an answer consumer and a check. */
public interface BrokerAccess {

    /** Creates the pipeline of a node on this broker, not yet started. */
    Pipeline createPipeline(NodeSettings settings, PipelineEvents events, Tracing tracing);

    /** Creates the channel on which a node announces itself, not yet started. */
    ClusterChannel createClusterChannel(NodeSettings settings);

    /**
     * Connects once and disconnects.
     *
     * @throws IOException if no broker accepts a connection in time, usually within five seconds of the start of the command; the message
     *     is one line with the configured addresses
     */
    void requireReachable(NodeSettings settings) throws IOException;

    /**
     * Opens a publisher for requests.
     *
     * @throws IOException if the broker cannot be reached; the message is one line for the user
     */
    RequestPublisher openRequestPublisher(NodeSettings settings) throws IOException;

    /**
     * Opens a consumer for the answers that are published after this method returns. On RabbitMQ it also reads the answers that
     * are already on the queue, and removes what it reads.
     *
     * @throws IOException if the broker cannot be reached; the message is one line for the user
     */
    AnswerConsumer openAnswerConsumer(NodeSettings settings) throws IOException;

    /**
     * Opens the dead letters.
     *
     * @throws IOException if the broker cannot be reached; the message is one line for the user
     */
    DeadLetterQueue openDeadLetters(NodeSettings settings) throws IOException;

    /** Checks that the broker and every topic or queue in the settings can be used. */
    ProbeResult probe(NodeSettings settings);

    /**
     * Result of a check, as lines for the user.
     *
     * @param reached what exists, or what a node creates when it starts
     * @param warnings what does not work for every message; may be empty
     * @param problems what is wrong; empty if the node can run
     */
    record ProbeResult(List<String> reached, List<String> warnings, List<String> problems) {}
}

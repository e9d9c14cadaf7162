package io.iocluster.node;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.PipelineEvents;
import io.iocluster.trace.Tracing;
import io.iocluster.transport.PublishResult;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** What the commands do with a broker: run a node on it, put requests on its queue, follow its answers. */
public interface BrokerAccess {

    /** A node's pipeline on this broker, not yet started: a {@link PipelineFactory}. */
    Pipeline pipeline(NodeSettings settings, PipelineEvents events, Tracing tracing);

    /**
     * A way to put requests on the queue.
     *
     * @throws IOException if the broker cannot be reached; the message is one line for people
     */
    RequestQueue requests(NodeSettings settings) throws IOException;

    /**
     * The answers from now on: what is published after this method returned. Where answers stand on a queue and not in a log,
     * those that stand there already come too, and what is taken is gone from the queue.
     *
     * @throws IOException if the broker cannot be reached; the message is one line for people
     */
    AnswerFeed answers(NodeSettings settings) throws IOException;

    /**
     * Reaches for the broker and every queue that the settings name.
     *
     * @return what is wrong, one line each; empty if nothing is
     */
    List<String> probe(NodeSettings settings);

    /** Puts requests on a queue. Safe for use by several threads. */
    interface RequestQueue extends AutoCloseable {

        /**
         * Puts one request on the queue.
         *
         * @param key null for none
         * @return completes when the broker has said how it went; open for as long as the broker is away
         */
        CompletionStage<PublishResult> enqueue(byte[] key, Map<String, byte[]> headers, byte[] envelope);

        @Override
        void close();
    }

    /** Follows a queue of answers. Confined to one thread. */
    interface AnswerFeed extends AutoCloseable {

        /**
         * The next answers, encoded; none if none came in time.
         *
         * @param wanted whether to take an answer; others are left to whom they are for
         * @throws IOException if the broker cannot be read
         */
        List<byte[]> poll(Duration within, Predicate<byte[]> wanted) throws IOException;

        @Override
        void close();
    }
}

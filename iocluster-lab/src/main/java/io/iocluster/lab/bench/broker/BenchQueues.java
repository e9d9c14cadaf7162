package io.iocluster.lab.bench.broker;

import java.util.List;
import java.util.Map;

/**
 * New queues for requests, answers and dead letters. Confined to the main thread. Closing deletes
 * them; first close everything that was opened on them.
 */
public interface BenchQueues extends AutoCloseable {

    /** Opens a writer to the queue of requests; the caller closes it. */
    EnvelopeWriter envelopes(LoadPattern load);

    /** Opens a reader of the queue of answers, from the first answer on; the caller closes it. */
    AnswerPoller answers();

    /** Returns the number of dead letters. */
    long deadLetters();

    /** Returns the node settings for the transport and the queues, by path. */
    Map<String, Object> nodeSettings();

    /** Returns the main class of the naive loop on these queues, and its arguments. */
    List<String> naiveLoop(int maxInFlight, LoadPattern load);

    @Override
    void close();
}

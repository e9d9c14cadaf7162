package io.iocluster.lab.bench.queue;

import io.iocluster.client.spi.ClientTransport;
import java.util.Map;

/**
 * Queues of requests, answers and dead letters that nobody used before. Used by the bench's main thread; closing deletes them,
 * after all that was opened on them is closed.
 */
public interface BenchQueues extends AutoCloseable {

    /** Puts envelopes on the queue of requests; for the caller to close. */
    EnvelopeWriter envelopes(LoadPattern load);

    /** Looks at the queue of answers, from its first on; for the caller to close. */
    AnswerPoller answers();

    /** The same queues, as a program that uses the Java client sees them. */
    ClientTransport client();

    /** How many dead letters there are. */
    long deadLetters();

    /** What a node's configuration says of transport and queues, by path. */
    Map<String, Object> nodeSettings();

    /** The naive loop on these queues. */
    MainClassCommand naiveLoop(int maxInFlight, LoadPattern load);

    @Override
    void close();
}

package io.iocluster.lab.bench.broker;

import java.time.Duration;
import java.util.List;

/** Reads a queue of answers, or only counts them. Confined to one thread. */
public interface AnswerPoller extends AutoCloseable {

    /** Returns the number of answers, at almost no cost. Call it only before the first {@link #poll}. */
    long count();

    /** Returns the next answers; empty if none arrive in time. */
    List<PolledAnswer> poll(Duration within);

    /**
     * Reads all answers again and returns when each was published, so call it last.
     *
     * @return milliseconds of the producer's clock, ascending; empty if the broker does not record them
     */
    default long[] publishTimes() {
        return new long[0];
    }

    @Override
    void close();
}

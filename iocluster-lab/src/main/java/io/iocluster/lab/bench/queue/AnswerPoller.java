package io.iocluster.lab.bench.queue;

import java.time.Duration;
import java.util.List;

/** Looks at a queue of answers: at how many there are, or at each. Used by one thread. */
public interface AnswerPoller extends AutoCloseable {

    /** How many there are, which costs the machine next to nothing; to be asked before the first {@link #poll} alone. */
    long count();

    /** The next ones; none if none come in time. */
    List<PolledAnswer> poll(Duration within);

    @Override
    void close();
}

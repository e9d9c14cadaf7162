package io.iocluster.bench.queue;

import java.time.Duration;
import java.util.List;

/** Looks at a queue of answers: at how many there are, or at each. Used by one thread. */
public interface Answers extends AutoCloseable {

    /** How many there are, which costs the machine next to nothing; to be asked before the first {@link #poll} alone. */
    long count();

    /** The next ones; none if none come in time. */
    List<SeenAnswer> poll(Duration within);

    @Override
    void close();
}

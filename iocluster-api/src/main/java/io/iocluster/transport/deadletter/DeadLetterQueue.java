package io.iocluster.transport.deadletter;

import io.iocluster.settings.Rate;
import java.io.IOException;
import java.util.function.Predicate;

/** The dead letters of a transport. Confined to one thread; methods block. Error messages address the user. */
public interface DeadLetterQueue extends AutoCloseable {

    /**
     * Reads the dead letters that exist now and were not replayed, oldest first in each partition.
     *
     * @param visitor returns false to stop
     */
    void scan(Predicate<DeadLetter> visitor) throws IOException, InterruptedException;

    /**
     * Puts requests back on their queue, each once, also if an earlier replay was killed. Dead letters that are published
     * meanwhile are not replayed.
     *
     * @param selected returns whether to replay a dead letter; called once for each
     * @param rate maximum rate
     * @return the number of requests that are on the queue again
     */
    long replay(Predicate<DeadLetter> selected, Rate rate) throws IOException, InterruptedException;

    @Override
    void close();
}

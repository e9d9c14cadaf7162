package io.iocluster.lab.load.run;

import io.iocluster.lab.load.schedule.Pacer.CallQueue;
import java.io.IOException;

/** The calls of a phase. {@link CallQueue} is confined to the thread that sends; the rest is thread-safe. */
interface PhaseCalls extends CallQueue, AutoCloseable {

    /** Returns the number of calls that are due before an offset from the start of the phase. */
    long dueBefore(long offsetNanos);

    /** Returns the planned length of the phase. */
    long durationNanos();

    /** Returns why the calls ended before the end of the phase; null if they did not. */
    String problem();

    @Override
    default void close() throws IOException {}
}

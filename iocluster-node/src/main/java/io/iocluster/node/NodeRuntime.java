package io.iocluster.node;

import io.iocluster.pipeline.PipelineStatus;
import java.time.Duration;

/** What a node runs: a pipeline over a transport. All methods may be called from any thread. */
public interface NodeRuntime extends AutoCloseable {

    /** Begins to read and to call; returns at once, whether or not the broker is there. */
    void start();

    /** What is known now, without asking the broker. */
    PipelineStatus status();

    /**
     * Changes how much is done at once, without touching a call.
     *
     * @param threads event loops; 0: one for each core
     * @param maxInFlight calls open at once, 1 or more
     */
    void resize(int threads, int maxInFlight);

    void pause();

    void resume();

    /**
     * Reads nothing more, waits for what is under way, and stops.
     *
     * @return whether every call was answered in time; the others went back to the broker
     */
    boolean drain(Duration within);

    /** Stops at once; does nothing after a drain. */
    @Override
    void close();
}

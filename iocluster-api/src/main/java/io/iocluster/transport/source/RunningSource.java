package io.iocluster.transport.source;

import io.iocluster.transport.PauseReason;
import io.iocluster.transport.SourceStatus;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Holds what a source uses from its start until its close: threads, connections and buffers. Thread-safe. */
public interface RunningSource {

    /** Starts reading. Returns at once. Called once, possibly after {@link #pause} and {@link #stopIntake}. */
    void start();

    /** Stops offering deliveries, or continues. */
    void pause(boolean pause);

    /** Tells the source that the intake has capacity again. */
    void capacityAvailable();

    /**
     * Stops offering deliveries permanently.
     *
     * @return completes when no further delivery will be offered
     */
    CompletionStage<Void> stopIntake();

    /**
     * Returns the last known status.
     *
     * @param reasons why the node or an operator pauses the source; the source adds its own reasons
     */
    SourceStatus status(Set<PauseReason> reasons);

    /** Commits or acknowledges what is settled, and disconnects. Called once. */
    void close(Duration timeout);
}

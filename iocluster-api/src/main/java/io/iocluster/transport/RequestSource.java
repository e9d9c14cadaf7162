package io.iocluster.transport;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Reads requests from a broker and acknowledges or commits only settled messages. Thread-safe.
 *
 * <p>A source owns one thread, on which it uses the broker's consumer and calls the {@link Intake}. It connects and
 * reconnects with backoff while it runs. An unreachable broker is reported in {@link SourceStatus}, never as an
 * exception.
 */
public interface RequestSource extends AutoCloseable {

    /**
     * Starts reading. Returns at once, even if the broker is unreachable.
     *
     * @throws IllegalStateException if called twice
     */
    void start(Intake intake);

    /**
     * Returns whether no other node reads the same messages now, so that this source can join early without delaying them. Asks the
     * broker, and blocks for at most some seconds.
     *
     * @return false if another node reads the same messages, or if that is unknown
     */
    default boolean isOnlyReader() {
        return false;
    }

    /**
     * Tells the source how many deliveries the intake holds at most; called before {@link #start} and after each
     * change. A source whose broker pushes messages derives its prefetch from it; other sources ignore it.
     *
     * @param calls maximum number of deliveries whose calls are in flight or waiting
     * @param unconfirmed maximum number of further deliveries whose answers the broker has not confirmed
     */
    default void prefetchHint(int calls, int unconfirmed) {}

    /**
     * Tells a source whose last offer was refused that there is capacity again. Cheap, because it runs after every
     * call.
     */
    void capacityAvailable();

    /**
     * Stops offering deliveries until {@link #resume}. The source stays in its consumer group and continues to settle.
     */
    void pause();

    /** Ends a {@link #pause}. */
    void resume();

    /**
     * Stops offering deliveries permanently and continues to settle: the first step of a drain.
     *
     * @return completes once no further delivery will be offered
     */
    CompletionStage<Void> stopIntake();

    /** Returns the last known status without a request to the broker. */
    SourceStatus status();

    /**
     * Commits or acknowledges what is settled, returns the other messages and disconnects, within the timeout.
     *
     * @param timeout positive
     */
    void close(Duration timeout);

    @Override
    default void close() {
        close(Duration.ofSeconds(10));
    }
}

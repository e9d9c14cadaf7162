package io.iocluster.transport;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Reads requests from a broker and moves the broker's position only over what has been settled.
 *
 * <p>A source owns one thread, on which alone it touches the broker's consumer and calls the {@link Intake}. It connects
 * and connects again by itself, with backoff, for as long as it runs: a broker that is away is a {@link SourceStatus},
 * never an exception. All methods may be called from any thread.
 */
public interface RequestSource extends AutoCloseable {

    /**
     * Begins to read. Returns at once, whether or not the broker is there.
     *
     * @throws IllegalStateException if called twice
     */
    void start(Intake intake);

    /**
     * Says how much the intake takes at once; called before the start, and again whenever that changes. A source whose broker
     * hands out messages ahead of time asks for about so many; for any other there is nothing to do.
     *
     * @param calls most deliveries whose calls are open or wait for their turn
     * @param unconfirmed most deliveries besides whose answers the broker has not confirmed
     */
    default void prefetchHint(int calls, int unconfirmed) {}

    /** Tells a source whose last offer was refused that there is room again. Cheap: it is called after every call. */
    void capacityAvailable();

    /** Hands over nothing more until {@link #resume}; the membership in the consumer group and the settling go on. */
    void pause();

    void resume();

    /**
     * Hands over nothing more, for good, while settling goes on: the first step of a drain.
     *
     * @return completes once no further delivery will be offered
     */
    CompletionStage<Void> stopIntake();

    /** What is known now, without asking the broker. */
    SourceStatus status();

    /**
     * Commits what is settled, gives the rest back and leaves the broker, within the given time.
     *
     * @param within positive
     */
    void close(Duration within);

    @Override
    default void close() {
        close(Duration.ofSeconds(10));
    }
}

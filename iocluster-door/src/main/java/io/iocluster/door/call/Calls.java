package io.iocluster.door.call;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Makes calls. Thread-safe. No method blocks except {@link #close}. */
public interface Calls {

    /**
     * Makes a call.
     *
     * @return completes, never exceptionally, soon after the call's deadline at the latest
     */
    CompletionStage<CallResult> call(DoorCall call);

    /**
     * Takes a call whose caller does not wait for the result. Starts it at once, unless the implementation stores calls.
     *
     * @return completes, never exceptionally
     */
    default CompletionStage<Submission> submit(DoorCall call) {
        return CompletableFuture.completedFuture(new Submission.Started(call(call)));
    }

    /** Starts to make the calls that are stored. Does nothing if the implementation does not store calls. */
    default void start(StoredCallListener listener) {}

    /** Returns how much of the store is used; empty if the implementation does not store calls. */
    default Optional<StoredUsage> stored() {
        return Optional.empty();
    }

    /** Returns why no calls can be made now, for operators; null if they can. */
    String problem();

    /** Ends the open calls and disconnects. May first wait for them, at most this long. */
    void close(Duration timeout);
}

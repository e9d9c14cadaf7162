package io.iocluster.door.call;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Makes calls. Thread-safe. No method blocks except {@link #close}. */
public interface Calls {

    /**
     * Makes a call.
     *
     * @return completes, never exceptionally, soon after the call's deadline at the latest
     */
    CompletionStage<CallResult> call(DoorCall call);

    /** Returns why no calls can be made now, for operators; null if they can. */
    String problem();

    /** Ends the open calls and disconnects. May first wait for them, at most this long. */
    void close(Duration timeout);
}

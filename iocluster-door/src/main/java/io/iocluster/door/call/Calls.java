package io.iocluster.door.call;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Makes calls. Thread-safe; no method but {@link #close} blocks. */
public interface Calls {

    /**
     * Makes a call.
     *
     * @return completes, never exceptionally, soon after the call's deadline at the latest
     */
    CompletionStage<CallResult> call(DoorCall call);

    /** Returns why no calls can be made now, for operators; null if they can. */
    String problem();

    /** Ends what is still open, waiting at most this long, and disconnects. */
    void close(Duration timeout);
}

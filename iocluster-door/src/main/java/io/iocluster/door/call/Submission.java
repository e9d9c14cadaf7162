package io.iocluster.door.call;

import io.iocluster.door.call.CallResult.Failed;
import java.util.concurrent.CompletionStage;

/** What happened to a call whose caller does not wait for the result. */
public sealed interface Submission {

    /**
     * The call is being made. It is lost if the door stops.
     *
     * @param result completes, never exceptionally
     */
    record Started(CompletionStage<CallResult> result) implements Submission {}

    /** The call is stored on disk. The {@link StoredCallListener} receives its result. */
    record Stored() implements Submission {}

    /** The call was not made and is not stored. */
    record Refused(Failed reason) implements Submission {}
}

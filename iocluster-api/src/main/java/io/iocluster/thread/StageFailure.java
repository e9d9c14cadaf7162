package io.iocluster.thread;

import java.util.concurrent.CompletionException;

/** Finds the failure of an asynchronous stage. Stateless. */
public final class StageFailure {

    private StageFailure() {}

    /** Returns the failure without the wrapper that dependent stages add. Returns null for null. */
    public static Throwable unwrap(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}

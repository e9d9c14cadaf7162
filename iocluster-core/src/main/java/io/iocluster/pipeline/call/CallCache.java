package io.iocluster.pipeline.call;

import io.iocluster.destination.Admission;

/** Answers calls without an attempt for each. Thread-safe. */
@FunctionalInterface
public interface CallCache {

    /** Answers no call. */
    CallCache NONE = (call, sourceKeeps) -> null;

    /**
     * Answers a call, or lets it wait for the attempt of another call. Called before the destination admits the call.
     *
     * @param sourceKeeps whether the source can keep the call for later, so that it may be refused with backpressure
     * @return null if the call must make an attempt itself
     */
    Admission admit(Call call, boolean sourceKeeps);
}

package io.iocluster.pipeline;

/** Owns the calls that it attempts: a worker. Thread-safe. */
interface CallOwner {

    /** Ends a call without a result, and cancels its attempt. Any thread. */
    void cancel(Call call);
}

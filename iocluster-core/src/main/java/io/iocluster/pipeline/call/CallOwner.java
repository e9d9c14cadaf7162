package io.iocluster.pipeline.call;

/** Owns the calls that it attempts: a worker. Thread-safe, except as noted. */
public interface CallOwner {

    /** Ends a call without a result, and cancels its attempt. Any thread. */
    void cancel(Call call);

    /** Returns whether its event loop is late; it then ends its calls when it runs again. Supervisor's thread only. */
    boolean isLate();
}

package io.iocluster.door.call;

/** Receives the results of stored calls. Thread-safe; its methods return soon and do not throw. */
public interface StoredCallListener {

    /** An earlier process has accepted this call. Called before any call ends. */
    void recovered(String app, String id);

    /** A stored call has ended. */
    void ended(String app, String id, CallResult result);
}

package io.iocluster.http;

/** The bytes that one call may still take for its answer's body. Confined to the event loop that makes the call. */
@FunctionalInterface
public interface BodyBudget {

    /** Takes this many more bytes for the call, or says that there is no room. What was taken is given back with the call. */
    boolean tryReserve(int bytes);
}

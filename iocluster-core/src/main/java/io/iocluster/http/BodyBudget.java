package io.iocluster.http;

/** Limits the memory that the response bodies of one call use. Confined to the event loop that makes the call. */
@FunctionalInterface
public interface BodyBudget {

    /** Reserves memory until the call ends. Returns false if the budget has too little left. */
    boolean tryReserve(int bytes);
}

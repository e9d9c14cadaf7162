package io.iocluster.http;

/** How far an attempt has come, in this order; what fails is named after where it failed. */
enum AttemptPhase {
    STARTING,
    RESOLVING,
    CONNECTING,
    SECURING,
    CONNECTED;

    /** Whether there is no connection yet. */
    boolean beforeConnection() {
        return compareTo(SECURING) < 0;
    }
}

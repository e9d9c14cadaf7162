package io.iocluster.http.ahc;

/** How far an attempt has come, in this order; what fails is named after where it failed. */
enum AttemptPhase {
    STARTING,
    RESOLVING,
    CONNECTING,
    TLS_HANDSHAKE,
    CONNECTED;

    /** Whether there is no connection yet. */
    boolean isBeforeConnection() {
        return compareTo(TLS_HANDSHAKE) < 0;
    }
}

package io.iocluster.http.client;

/** Phases of an attempt in order. The phase in which an attempt fails decides its error code. */
enum AttemptPhase {
    STARTING,
    RESOLVING,
    CONNECTING,
    TLS_HANDSHAKE,
    CONNECTED;

    /** Returns whether the attempt has no connection yet. */
    boolean isBeforeConnection() {
        return compareTo(TLS_HANDSHAKE) < 0;
    }
}

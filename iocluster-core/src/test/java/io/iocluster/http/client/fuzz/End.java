package io.iocluster.http.client.fuzz;

/** What a scripted server does with the connection after the last byte of its script. */
enum End {
    /** Keeps it open, and closes it only if the client still waits although all bytes have arrived. */
    KEEP,
    /** Closes it, with close_notify if it uses TLS. */
    CLOSE,
    /** Closes it without close_notify. The same as {@link #CLOSE} without TLS. */
    CUT,
    /** Resets it. */
    RESET,
    /** Keeps it open until the client gives up. */
    HANG
}

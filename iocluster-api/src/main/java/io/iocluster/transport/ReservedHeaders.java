package io.iocluster.transport;

/**
 * The headers that only nodes write: those whose names start with {@code iocluster-}. Nodes neither trust nor copy such
 * headers from other senders. Stateless.
 */
public final class ReservedHeaders {

    private static final String PREFIX = "iocluster-";

    private ReservedHeaders() {}

    /** Returns whether only nodes write this header. */
    public static boolean isReserved(String name) {
        return name.startsWith(PREFIX);
    }
}

package io.iocluster.transport;

/**
 * The headers that only nodes write: those whose names begin with {@code iocluster-}. Nodes neither trust nor copy such headers of
 * other senders. Stateless.
 */
public final class ReservedHeaders {

    private static final String PREFIX = "iocluster-";

    private ReservedHeaders() {}

    /** Whether the header belongs to the nodes. */
    public static boolean isReserved(String name) {
        return name.startsWith(PREFIX);
    }
}

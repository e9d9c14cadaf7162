package io.iocluster.transport;

/**
 * The headers of messages that only nodes write: all whose names begin with {@code iocluster-}. What another sender puts there is
 * neither believed nor copied. Stateless.
 */
public final class ReservedHeaders {

    private static final String PREFIX = "iocluster-";

    private ReservedHeaders() {}

    /** Whether the header belongs to the nodes. */
    public static boolean include(String name) {
        return name.startsWith(PREFIX);
    }
}

package io.iocluster.transport;

/**
 * Headers that only nodes write. Their names start with {@code iocluster-}. A node does not trust or copy such a header from
 * another sender. Stateless.
 */
public final class ReservedHeaders {

    private static final String PREFIX = "iocluster-";

    private ReservedHeaders() {}

    /** Returns whether only nodes write this header. */
    public static boolean isReserved(String name) {
        return name.startsWith(PREFIX);
    }
}

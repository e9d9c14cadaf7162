package io.iocluster.cache;

import java.nio.ByteBuffer;

/** The SHA-256 hash of everything that must be equal so that two calls share a response. Immutable. */
public record CacheKey(long first, long second, long third, long fourth) {

    /** @param sha256 32 bytes */
    static CacheKey of(byte[] sha256) {
        ByteBuffer bytes = ByteBuffer.wrap(sha256);
        return new CacheKey(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong());
    }

    /** Returns its 32 bytes. */
    public byte[] bytes() {
        return ByteBuffer.allocate(4 * Long.BYTES)
                .putLong(first)
                .putLong(second)
                .putLong(third)
                .putLong(fourth)
                .array();
    }

    @Override
    public int hashCode() {
        return Long.hashCode(first);
    }
}

package io.iocluster.cache;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Hashes a sequence of values. Each value is preceded by its length, so that no value can imitate the end of another. Confined to one
 * thread.
 */
final class KeyDigest {

    private final MessageDigest digest;

    KeyDigest() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException unsupported) {
            throw new IllegalStateException(
                    "this JVM has no SHA-256, which every Java platform must have", unsupported);
        }
    }

    /** Adds a text; null differs from the empty text. */
    KeyDigest add(String text) {
        return add(text == null ? null : text.getBytes(StandardCharsets.UTF_8));
    }

    /** Adds bytes; null differs from none. */
    KeyDigest add(byte[] bytes) {
        if (bytes == null) {
            return add(-1);
        }
        add(bytes.length);
        digest.update(bytes);
        return this;
    }

    /** Adds a number. */
    KeyDigest add(long number) {
        for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
            digest.update((byte) (number >>> shift));
        }
        return this;
    }

    /** Returns the key of the values. Call it once, at the end. */
    CacheKey toKey() {
        return CacheKey.of(digest.digest());
    }
}

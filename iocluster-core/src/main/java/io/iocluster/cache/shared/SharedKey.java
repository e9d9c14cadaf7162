package io.iocluster.cache.shared;

import io.iocluster.cache.CacheKey;
import io.iocluster.cache.CacheableRequest;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Computes keys and tags with the secret that the nodes share. Without a configured secret it is a constant, so that a tag detects damage
 * and no forgery. Thread-safe.
 */
final class SharedKey {

    static final int TAG_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";
    private static final String NO_SECRET = "iocluster shared cache without a secret";

    private final Mac prototype;
    private final byte[] prefix;
    private final byte[] generation;

    /** @param generation the hash of the settings that stored responses depend on; responses of other ones are never found */
    SharedKey(SharedCacheSettings settings, byte[] generation) {
        String secret = settings.hmacKey().isEmpty() ? NO_SECRET : settings.hmacKey();
        this.prefix = settings.prefix().getBytes(StandardCharsets.US_ASCII);
        this.generation = generation.clone();
        try {
            prototype = Mac.getInstance(ALGORITHM);
            prototype.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
        } catch (NoSuchAlgorithmException | InvalidKeyException impossible) {
            throw new IllegalStateException("every JVM has " + ALGORITHM, impossible);
        }
    }

    /**
     * Returns the key of a request in the store: the prefix and 43 characters.
     *
     * @param destination the name of the destination
     * @param everywhere the key of the request as {@linkplain CacheableRequest#onAllNodes all nodes} know it
     */
    byte[] of(String destination, CacheKey everywhere) {
        Mac mac = newMac();
        mac.update((byte) 'k');
        mac.update(generation);
        mac.update(everywhere.bytes());
        mac.update(destination.getBytes(StandardCharsets.UTF_8));
        byte[] hash = Base64.getUrlEncoder().withoutPadding().encode(mac.doFinal());
        byte[] key = new byte[prefix.length + hash.length];
        System.arraycopy(prefix, 0, key, 0, prefix.length);
        System.arraycopy(hash, 0, key, prefix.length, hash.length);
        return key;
    }

    /** Returns the tag of a value, from this offset on, at its key. A value that was copied to another key has a wrong tag. */
    byte[] tag(byte[] key, byte[] value, int from) {
        Mac mac = newMac();
        mac.update((byte) 'v');
        mac.update((byte) key.length);
        mac.update(key);
        mac.update(value, from, value.length - from);
        return mac.doFinal();
    }

    private Mac newMac() {
        try {
            return (Mac) prototype.clone();
        } catch (CloneNotSupportedException impossible) {
            throw new IllegalStateException("the JDK's " + ALGORITHM + " can be cloned", impossible);
        }
    }
}

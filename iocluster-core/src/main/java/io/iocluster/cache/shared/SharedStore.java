package io.iocluster.cache.shared;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A store of keys and values that nodes share, such as Redis. No method blocks. The futures may complete on any thread, and may
 * fail; a cancelled operation may or may not be done. Thread-safe.
 */
public interface SharedStore extends AutoCloseable {

    /**
     * Reads the beginning of a value.
     *
     * @param maxBytes the largest number of bytes to return
     * @return an empty array if there is no such key
     */
    CompletableFuture<byte[]> read(byte[] key, int maxBytes);

    /** Writes a value that the store removes after this time. */
    CompletableFuture<?> write(byte[] key, byte[] value, Duration ttl);

    /** Removes a value. */
    CompletableFuture<?> remove(byte[] key);

    /** Returns why an operation failed, and what an operator can do, in one short line. */
    String explain(Throwable failure);

    /** Closes the connection. Operations under way may never complete. */
    @Override
    void close();

    /** Opens stores. */
    @FunctionalInterface
    interface Factory {

        /** Opens no store. For nodes without a shared cache. */
        Factory NONE = (settings, listener) -> {
            throw new IllegalStateException("this node cannot open a shared cache");
        };

        /** Opens a store and connects it in the background. Returns at once, even if the store is unreachable. */
        SharedStore open(SharedCacheSettings settings, Listener listener);
    }

    /** Learns of the state of the connection. Called on any thread. */
    interface Listener {

        /** The store can be used. */
        void connected();

        /** The store cannot be used. May be called several times. */
        void disconnected(String reason);
    }
}

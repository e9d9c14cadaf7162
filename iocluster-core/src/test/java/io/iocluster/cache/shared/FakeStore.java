package io.iocluster.cache.shared;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A store in memory that answers at once, not at all, or with an error, as the test wants. Thread-safe. */
public final class FakeStore implements SharedStore.Factory {

    /** The values by key. */
    public final Map<String, byte[]> values = new ConcurrentHashMap<>();

    /** The times to live by key. */
    public final Map<String, Duration> ttls = new ConcurrentHashMap<>();

    /** Operations that wait until the test answers them. */
    public final List<UnansweredOperation> unanswered = new CopyOnWriteArrayList<>();

    /** The listeners of all stores that were opened. */
    public final List<SharedStore.Listener> listeners = new CopyOnWriteArrayList<>();

    public final AtomicInteger reads = new AtomicInteger();
    public final AtomicInteger closed = new AtomicInteger();
    /** Whether the test answers operations by {@link #unanswered}. */
    public volatile boolean answersLater;

    public volatile boolean fails;
    public volatile boolean refusesWrites;

    /** Runs whenever a store is opened, before it is used. */
    public volatile Runnable onOpen = () -> {};

    /** An operation that the test answers. */
    public record UnansweredOperation(CompletableFuture<byte[]> future, byte[] value) {

        /** Answers it. */
        public void answer() {
            future.complete(value);
        }
    }

    @Override
    public SharedStore open(SharedCacheSettings settings, SharedStore.Listener listener) {
        onOpen.run();
        listeners.add(listener);
        listener.connected();
        return new Opened();
    }

    /** Returns the only value. */
    public byte[] onlyValue() {
        if (values.size() != 1) {
            throw new IllegalStateException("not one value: " + values.keySet());
        }
        return values.values().iterator().next();
    }

    private CompletableFuture<byte[]> answer(byte[] value) {
        if (fails) {
            return CompletableFuture.failedFuture(new IllegalStateException("store is broken"));
        }
        CompletableFuture<byte[]> future = new CompletableFuture<>();
        if (answersLater) {
            unanswered.add(new UnansweredOperation(future, value));
        } else {
            future.complete(value);
        }
        return future;
    }

    private static String text(byte[] key) {
        return new String(key, StandardCharsets.ISO_8859_1);
    }

    private final class Opened implements SharedStore {

        @Override
        public CompletableFuture<byte[]> read(byte[] key, int maxBytes) {
            reads.incrementAndGet();
            byte[] value = values.getOrDefault(text(key), new byte[0]);
            return answer(Arrays.copyOf(value, Math.min(value.length, maxBytes)));
        }

        @Override
        public CompletableFuture<?> write(byte[] key, byte[] value, Duration ttl) {
            if (refusesWrites) {
                return CompletableFuture.failedFuture(new IllegalStateException("READONLY"));
            }
            if (!fails) {
                values.put(text(key), value);
                ttls.put(text(key), ttl);
            }
            return answer(value);
        }

        @Override
        public CompletableFuture<?> remove(byte[] key) {
            values.remove(text(key));
            return answer(key);
        }

        @Override
        public String explain(Throwable failure) {
            return failure.getMessage();
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }
}

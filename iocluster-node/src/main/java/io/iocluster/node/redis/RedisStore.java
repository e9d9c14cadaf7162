package io.iocluster.node.redis;

import io.iocluster.cache.shared.RedisSettings;
import io.iocluster.cache.shared.SharedCacheSettings;
import io.iocluster.cache.shared.SharedStore;
import io.iocluster.transport.outage.RootCause;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Values in Valkey or Redis, over one connection whose commands are pipelined. Lettuce reconnects after a loss. Commands under way
 * then fail; none is sent again. Thread-safe.
 */
public final class RedisStore implements SharedStore {

    private static final Duration FIRST_CONNECT_RETRY = Duration.ofSeconds(1);
    private static final long CLOSE_WITHIN_MILLIS = 1_000;
    private static final int MAX_REASON_CHARACTERS = 200;

    private final RedisSettings settings;
    private final Listener listener;
    private final ClientResources resources;
    private final RedisClient client;

    /** Null before the first connection. */
    private volatile RedisAsyncCommands<byte[], byte[]> commands;

    private volatile boolean closed;

    private RedisStore(SharedCacheSettings settings, Listener listener) {
        this.settings = settings.redis();
        this.listener = listener;
        this.resources = RedisOptions.newResources();
        this.client = RedisClient.create(resources);
        client.setOptions(RedisOptions.of(settings));
        client.addListener(new ConnectionState());
    }

    /** Opens a store and connects it in the background. */
    public static SharedStore open(SharedCacheSettings settings, Listener listener) {
        RedisStore store = new RedisStore(settings, listener);
        store.connect();
        return store;
    }

    private void connect() {
        if (closed) {
            return;
        }
        try {
            client.connectAsync(ByteArrayCodec.INSTANCE, RedisOptions.uri(settings))
                    .whenComplete(this::connectEnded);
        } catch (RuntimeException failed) {
            connectEnded(null, failed);
        }
    }

    private void connectEnded(StatefulRedisConnection<byte[], byte[]> connection, Throwable failure) {
        if (failure == null) {
            commands = connection.async();
            listener.connected();
        } else if (!closed) {
            listener.disconnected(explain(failure));
            resources
                    .eventExecutorGroup()
                    .schedule(this::connect, FIRST_CONNECT_RETRY.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Returns visible characters only, because the cause may quote the server. */
    @Override
    public String explain(Throwable failure) {
        Throwable cause = RootCause.of(failure);
        String text = String.valueOf(cause.getMessage() == null ? cause : cause.getMessage())
                .replaceAll("[^ !#-~]", "?");
        return text.substring(0, Math.min(text.length(), MAX_REASON_CHARACTERS)) + advice(text);
    }

    /** Returns what to do about an error of the server, which starts with a code. */
    private static String advice(String error) {
        String code = error.split(" ", 2)[0];
        return switch (code) {
            case "READONLY" -> "; set shared-cache.redis.url to the primary";
            case "OOM" -> "; set maxmemory-policy to allkeys-lfu at the server, or raise maxmemory";
            case "MISCONF" -> "; free the disk of the server, or disable persistence there";
            case "NOPERM" -> "; allow the user getrange, set and del on keys with shared-cache.prefix";
            case "NOAUTH", "WRONGPASS" -> "; correct username and password of shared-cache.redis";
            case "NOREPLICAS" -> "; set min-replicas-to-write to 0 at the server, because the cache needs no replica";
            default -> "";
        };
    }

    @Override
    public CompletableFuture<byte[]> read(byte[] key, int maxBytes) {
        RedisAsyncCommands<byte[], byte[]> current = commands;
        return current == null
                ? notConnected()
                : current.getrange(key, 0, maxBytes - 1L).toCompletableFuture();
    }

    @Override
    public CompletableFuture<?> write(byte[] key, byte[] value, Duration ttl) {
        RedisAsyncCommands<byte[], byte[]> current = commands;
        return current == null
                ? notConnected()
                : current.set(key, value, SetArgs.Builder.px(ttl)).toCompletableFuture();
    }

    @Override
    public CompletableFuture<?> remove(byte[] key) {
        RedisAsyncCommands<byte[], byte[]> current = commands;
        return current == null ? notConnected() : current.del(key).toCompletableFuture();
    }

    private static <T> CompletableFuture<T> notConnected() {
        return CompletableFuture.failedFuture(new RedisConnectionException("not connected"));
    }

    @Override
    public void close() {
        closed = true;
        client.shutdownAsync(0, CLOSE_WITHIN_MILLIS, TimeUnit.MILLISECONDS)
                .whenComplete((nothing, failure) -> resources.shutdown(0, CLOSE_WITHIN_MILLIS, TimeUnit.MILLISECONDS));
    }

    /** Tells the listener about connections after the first. */
    private final class ConnectionState implements RedisConnectionStateListener {

        @Override
        public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress address) {
            if (commands != null) {
                listener.connected();
            }
        }

        @Override
        public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
            if (commands != null && !closed) {
                listener.disconnected("the connection was closed");
            }
        }
    }
}

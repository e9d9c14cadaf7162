package io.iocluster.node.redis;

import io.iocluster.cache.shared.RedisSettings;
import io.iocluster.cache.shared.SharedCacheSettings;
import io.iocluster.http.TlsSettings;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.SocketOptions.TcpUserTimeoutOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.event.DefaultEventPublisherOptions;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.File;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Translates the settings of the shared cache for Lettuce. Stateless. */
final class RedisOptions {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration SHORTEST_RECONNECT_DELAY = Duration.ofMillis(100);
    private static final Duration LONGEST_RECONNECT_DELAY = Duration.ofSeconds(2);

    /** A connection whose peer confirms no packet for this long is closed, because a router or a host may have failed. */
    private static final Duration UNCONFIRMED_TIMEOUT = Duration.ofSeconds(5);

    /** One connection needs one thread; Lettuce requires two. */
    private static final int THREADS = 2;

    /** Commands of all kinds that may be under way for each lookup that may be: a lookup, a write, and one that has timed out. */
    private static final int COMMANDS_PER_LOOKUP = 4;

    private RedisOptions() {}

    static ClientResources newResources() {
        return DefaultClientResources.builder()
                .ioThreadPoolSize(THREADS)
                .computationThreadPoolSize(THREADS)
                .threadFactoryProvider(pool -> new DefaultThreadFactory("iocluster-redis-" + pool, true))
                .reconnectDelay(() -> Delay.equalJitter(
                        SHORTEST_RECONNECT_DELAY,
                        LONGEST_RECONNECT_DELAY,
                        SHORTEST_RECONNECT_DELAY.toMillis(),
                        TimeUnit.MILLISECONDS))
                // The node has its own metrics of lookups.
                .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .commandLatencyPublisherOptions(DefaultEventPublisherOptions.disabled())
                .build();
    }

    static ClientOptions of(SharedCacheSettings settings) {
        return ClientOptions.builder()
                .autoReconnect(true)
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                // No call waits for the commands of a lost connection any more.
                .replayFilter(command -> true)
                .requestQueueSize(settings.maxInFlight() * COMMANDS_PER_LOOKUP)
                .maintNotificationsConfig(MaintNotificationsConfig.disabled())
                .socketOptions(socket())
                .sslOptions(ssl(settings.redis().tls()))
                .build();
    }

    private static SocketOptions socket() {
        return SocketOptions.builder()
                .connectTimeout(CONNECT_TIMEOUT)
                .keepAlive(KeepAliveOptions.builder()
                        .enable()
                        .idle(UNCONFIRMED_TIMEOUT)
                        .interval(Duration.ofSeconds(1))
                        .count(3)
                        .build())
                .tcpUserTimeout(TcpUserTimeoutOptions.builder()
                        .enable()
                        .tcpUserTimeout(UNCONFIRMED_TIMEOUT)
                        .build())
                .build();
    }

    private static SslOptions ssl(TlsSettings tls) {
        SslOptions.Builder options = SslOptions.builder().jdkSslProvider();
        if (!tls.ca().isEmpty()) {
            options.trustManager(new File(tls.ca()));
        }
        if (!tls.certificate().isEmpty()) {
            options.keyManager(
                    new File(tls.certificate()),
                    new File(tls.key()),
                    tls.keyPassword().toCharArray());
        }
        return options.build();
    }

    /** Returns the address and the login. With TLS, the certificate must match the host name. */
    static RedisURI uri(RedisSettings settings) {
        RedisURI.Builder uri = RedisURI.builder()
                .withHost(settings.host())
                .withPort(settings.port())
                .withDatabase(settings.database())
                .withSsl(settings.isTls())
                .withClientName("iocluster")
                .withTimeout(CONNECT_TIMEOUT);
        if (!settings.username().isEmpty()) {
            uri.withAuthentication(settings.username(), settings.password().toCharArray());
        } else if (!settings.password().isEmpty()) {
            uri.withPassword(settings.password().toCharArray());
        }
        return uri.build();
    }
}

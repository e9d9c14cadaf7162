package io.iocluster.rabbit.connection;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.iocluster.rabbit.config.AmqpUri;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.settings.ConnectionUri;
import io.iocluster.thread.DaemonThreadFactory;
import io.iocluster.thread.Platform;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Opens connections to any broker node that answers, in random order. Thread-safe; methods block, so they must not run on an
 * {@link EventLoopThread}. The client's own recovery is off.
 *
 * <p>Only this class selects the I/O of a connection. The client's Netty transport reads and writes on the event loop that also owns
 * the state of the source or sink. A delivery needs no thread change, and everything that one run publishes or acknowledges is
 * written together; the client's blocking sockets cost a system call for each message. If {@link #configureNetty} did nothing, the
 * client would use those sockets, and its callbacks would reach the loop as tasks.
 */
public final class Connector implements RabbitConnections {

    /** How long the broker may take to open a connection, and callbacks to end after one has closed. A failed try loses nothing. */
    private static final Duration OPEN_TIMEOUT = Duration.ofSeconds(8);

    /**
     * How long a request on an open connection may take to be written and answered. Afterwards the connection is replaced, and the broker
     * redelivers every message that the node holds. It therefore exceeds the stalls of a live broker or link, and the time that large
     * answers ahead of the request need on a slow link. The heartbeat detects a dead connection earlier, by default after 10 s.
     */
    static final Duration RPC_TIMEOUT = Duration.ofSeconds(30);

    /** Above every broker's limit, because a message that the client cannot read could not become a dead letter. */
    private static final int MAX_MESSAGE_BYTES = 512 << 20;

    private final RabbitSettings settings;
    private final String nodeId;
    private final Platform platform;
    private final TlsContexts tls;

    /** @param nodeId part of the connections' names */
    public Connector(RabbitSettings settings, String nodeId, Platform platform) {
        this.settings = settings;
        this.nodeId = nodeId;
        this.platform = platform;
        this.tls = new TlsContexts(settings.tls());
    }

    @Override
    public String addresses() {
        return settings.addresses();
    }

    @Override
    public EventLoopThread newLoop(String threadName) {
        return new EventLoopThread(threadName, platform);
    }

    @Override
    public Connection open(String role, EventLoopThread loop, Supplier<InboundGuard> inbound) throws IOException {
        String problem = null;
        for (ConnectionUri uri : inRandomOrder(settings.uris())) {
            try {
                return open(uri, role, loop, inbound);
            } catch (IOException | TimeoutException | RuntimeException failed) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new IOException("interrupted", failed);
                }
                problem = uri.address() + ": " + FailureText.of(failed);
            }
        }
        throw new IOException(problem);
    }

    private List<ConnectionUri> inRandomOrder(List<ConnectionUri> uris) {
        List<ConnectionUri> left = new ArrayList<>(uris);
        List<ConnectionUri> ordered = new ArrayList<>(uris.size());
        while (!left.isEmpty()) {
            ordered.add(left.remove(platform.random().nextInt(left.size())));
        }
        return ordered;
    }

    private Connection open(ConnectionUri uri, String role, EventLoopThread loop, Supplier<InboundGuard> inbound)
            throws IOException, TimeoutException {
        // Resolves the name here, because Netty would resolve it on the loop, which must not block. The JVM caches the
        // result.
        InetAddress.getByName(uri.host());
        ConnectionFactory factory = new ConnectionFactory();
        factory.setVirtualHost(AmqpUri.virtualHost(uri));
        factory.setUsername(AmqpUri.user(uri));
        factory.setPassword(AmqpUri.password(uri));
        factory.setAutomaticRecoveryEnabled(false);
        factory.setTopologyRecoveryEnabled(false);
        factory.setRequestedHeartbeat((int) settings.heartbeat().toSeconds());
        factory.setRequestedFrameMax((int) settings.frameMax().bytes());
        factory.setConnectionTimeout((int) settings.connectTimeout().toMillis());
        factory.setHandshakeTimeout((int) OPEN_TIMEOUT.toMillis());
        factory.setChannelRpcTimeout((int) RPC_TIMEOUT.toMillis());
        factory.setShutdownTimeout((int) OPEN_TIMEOUT.toMillis());
        factory.setMaxInboundMessageBodySize(MAX_MESSAGE_BYTES);
        factory.setExceptionHandler(new LoggingExceptionHandler());
        factory.setThreadFactory(new DaemonThreadFactory("iocluster-rabbit-client"));
        factory.setSharedExecutor(loop.executor());
        configureNetty(factory, uri, loop, inbound);
        Address address = new Address(uri.host(), AmqpUri.port(uri));
        return factory.newConnection(List.of(address), "iocluster-" + nodeId + "-" + role);
    }

    private void configureNetty(
            ConnectionFactory factory, ConnectionUri uri, EventLoopThread loop, Supplier<InboundGuard> inbound)
            throws IOException {
        ConnectionFactory.NettyConfiguration netty = factory.netty()
                .eventLoopGroup(loop.group())
                .enqueuingTimeout(RPC_TIMEOUT)
                .bootstrapCustomizer(this::customize)
                .channelCustomizer(channel -> guard(channel, inbound.get()));
        if (AmqpUri.isTls(uri)) {
            netty.sslContext(tls.nettyContext());
        }
    }

    /** Adds the handler before the client's own handler, which is the last. */
    private static void guard(Channel channel, InboundGuard inbound) {
        if (inbound != null) {
            ChannelPipeline pipeline = channel.pipeline();
            pipeline.addBefore(pipeline.lastContext().name(), "iocluster-inbound", inbound);
        }
    }

    private void customize(Bootstrap bootstrap) {
        bootstrap.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                settings.connectTimeout().toMillis());
        bootstrap.option(ChannelOption.TCP_NODELAY, true);
        if (Epoll.isAvailable()) {
            bootstrap.channel(EpollSocketChannel.class);
        }
    }
}

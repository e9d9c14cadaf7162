package io.iocluster.rabbit.connection;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.iocluster.rabbit.config.AmqpUri;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.settings.ConnectionUri;
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
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Opens connections: to any node that answers, the addresses in an order drawn anew each time. The client's own recovery is
 * off. Methods block; any thread but a {@link EventLoopThread}'s may call.
 *
 * <p>This is the one place that knows how bytes travel. The client's transport over Netty reads and writes on the loop that
 * also owns the state of source or sink: a delivery costs no change of thread, and what one turn publishes or acknowledges
 * leaves in one write, where the client's blocking sockets cost a system call for every message. With {@link #wire} empty the
 * client uses those sockets, and all else goes on as it is: its callbacks then reach the loop as tasks.
 */
public final class Connector {

    /** How long the broker may take to answer what is asked of it. */
    static final Duration RPC_TIMEOUT = Duration.ofSeconds(8);

    /** Larger than any broker allows a message to be, for one that cannot be read could never be made a dead letter. */
    private static final int MOST_MESSAGE = 512 << 20;

    private final RabbitSettings settings;
    private final String nodeId;
    private final TlsContexts tls;

    public Connector(RabbitSettings settings, String nodeId) {
        this.settings = settings;
        this.nodeId = nodeId;
        this.tls = new TlsContexts(settings.tls());
    }

    /**
     * Opens a connection.
     *
     * @param role what it is for, which the broker's lists show
     * @param loop does its reading and writing
     * @throws IOException if no node lets this one in; the message is for people
     */
    public Connection open(String role, EventLoopThread loop) throws IOException {
        return open(role, loop, () -> null);
    }

    /**
     * Opens a connection with an additional handler.
     *
     * @param inbound supplies the handler of each connection attempt, or null; the handler sees each frame before the client
     */
    Connection open(String role, EventLoopThread loop, Supplier<InboundGuard> inbound) throws IOException {
        List<ConnectionUri> uris = new ArrayList<>(settings.uris());
        Collections.shuffle(uris);
        String problem = null;
        for (ConnectionUri uri : uris) {
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

    private Connection open(ConnectionUri uri, String role, EventLoopThread loop, Supplier<InboundGuard> inbound)
            throws IOException, TimeoutException {
        // Netty would look the name up on the loop, which must not wait; now the JVM knows it.
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
        factory.setHandshakeTimeout((int) RPC_TIMEOUT.toMillis());
        factory.setChannelRpcTimeout((int) RPC_TIMEOUT.toMillis());
        factory.setShutdownTimeout((int) RPC_TIMEOUT.toMillis());
        factory.setMaxInboundMessageBodySize(MOST_MESSAGE);
        factory.setExceptionHandler(new LoggingExceptionHandler());
        factory.setThreadFactory(Connector::daemon);
        factory.setSharedExecutor(loop.executor());
        wire(factory, uri, loop, inbound);
        Address address = new Address(uri.host(), AmqpUri.port(uri));
        return factory.newConnection(List.of(address), "iocluster-" + nodeId + "-" + role);
    }

    private void wire(
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

    private static Thread daemon(Runnable task) {
        Thread made = new Thread(task, "iocluster-rabbit-client");
        made.setDaemon(true);
        return made;
    }
}

package io.iocluster.door.grpc;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionService;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.iocluster.door.access.AccessControl;
import io.iocluster.door.access.AnswerBudget;
import io.iocluster.door.access.BodyBudget;
import io.iocluster.door.config.DoorGrpcSettings;
import io.iocluster.door.config.DoorLimits;
import io.iocluster.door.config.DoorSettings;
import io.iocluster.door.intake.AsyncCalls;
import io.iocluster.door.intake.CallStarter;
import io.iocluster.door.listener.ServerCertificate;
import io.iocluster.door.meter.AccessLog;
import io.iocluster.door.traffic.DoorTraffic;
import io.iocluster.thread.NodeClock;
import io.iocluster.v1.CallsGrpc;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The gRPC server of the door. Limits every resource that callers use. Thread-safe. Owned by the door. */
public final class GrpcServer implements AutoCloseable {

    /** Its warnings are about single connections of callers. Kept here, because the JDK holds loggers weakly. */
    private static final Logger LIBRARY_LOG = Logger.getLogger("io.grpc");

    /** Unread bytes of one connection, and of one request. */
    private static final int FLOW_CONTROL_WINDOW = 256 * 1024;

    /** A connection may cancel this many requests in this time, because cancelled ones do not count as open. */
    private static final int MAX_CANCELLED = 10_000;

    private static final int CANCELLED_SECONDS = 10;

    /** Finds connections whose client is gone. */
    private static final Duration PING_INTERVAL = Duration.ofSeconds(60);

    private static final Duration PING_TIMEOUT = Duration.ofSeconds(20);

    private final EventLoopGroup loops;
    private final Server server;
    private final HealthStatusManager health;
    private final CallStreams streams;
    private final InetSocketAddress address;

    private GrpcServer(
            EventLoopGroup loops,
            Server server,
            HealthStatusManager health,
            CallStreams streams,
            InetSocketAddress address) {
        this.loops = loops;
        this.server = server;
        this.health = health;
        this.streams = streams;
        this.address = address;
    }

    /**
     * What the servers of a door share.
     *
     * @param live returns the current settings; the server uses some only when it starts
     * @param certificate empty without TLS
     */
    public record Shared(
            Supplier<DoorSettings> live,
            Optional<ServerCertificate> certificate,
            CallStarter starter,
            AsyncCalls asyncCalls,
            AccessControl access,
            BodyBudget bodies,
            AnswerBudget unread,
            DoorTraffic traffic,
            AccessLog log,
            NodeClock clock) {}

    /**
     * Starts the server and binds its address.
     *
     * @throws IOException if the address cannot be bound, or if a certificate cannot be used
     */
    public static GrpcServer start(Shared shared) throws IOException {
        DoorSettings settings = shared.live().get();
        LIBRARY_LOG.setLevel(Level.SEVERE);
        SslContext tls = shared.certificate().isPresent()
                ? GrpcSslContexts.configure(shared.certificate().get().newContext(), SslProvider.JDK)
                        .build()
                : null;
        InetAddress host = InetAddress.getByName(settings.host());
        boolean epoll = Epoll.isAvailable();
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(
                Runtime.getRuntime().availableProcessors(),
                new DefaultThreadFactory("iocluster-door-grpc", true),
                epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        Connections connections = new Connections(settings.limits().maxConnections());
        CallMessages messages = new CallMessages(shared.starter());
        CallStreams streams =
                new CallStreams(shared.starter(), messages, shared.bodies(), shared.traffic(), shared.live(), loops);
        int maxBody = (int) settings.limits().maxBody().bytes();
        GrpcRequests requests =
                new GrpcRequests(shared.bodies(), shared.unread(), shared.log(), connections, maxBody, shared.clock());
        ServerServiceDefinition calls =
                new CallsService(shared.starter(), shared.asyncCalls(), messages, streams).bindService();
        HealthStatusManager health = new HealthStatusManager();
        NettyServerBuilder builder = NettyServerBuilder.forAddress(
                        new InetSocketAddress(host, settings.grpc().port()))
                .bossEventLoopGroup(loops)
                .workerEventLoopGroup(loops)
                .channelFactory(() ->
                        connections.attachTo(epoll ? new EpollServerSocketChannel() : new NioServerSocketChannel()))
                // The allocator of the other servers, so that they share its memory.
                .withChildOption(ChannelOption.ALLOCATOR, ByteBufAllocator.DEFAULT)
                // No handler blocks.
                .directExecutor()
                .addStreamTracerFactory(requests)
                .intercept(new CallerInterceptor(
                        shared.access(),
                        shared.starter(),
                        () -> requests.open() > shared.live().get().limits().maxRequests(),
                        settings.limits().bodyTimeout(),
                        loops))
                .addService(
                        LimitedMarshaller.limit(calls, maxBody, settings.grpc().maxEntries()))
                .addService(limitOpen(health.getHealthService(), settings.grpc()))
                .addService(limitOpen(ProtoReflectionServiceV1.newInstance(), settings.grpc()))
                .addService(limitOpen(olderReflection(), settings.grpc()));
        limit(builder, settings.limits(), settings.grpc());
        if (tls != null) {
            builder.sslContext(tls);
        }
        try {
            Server server = builder.build().start();
            health.setStatus(CallsGrpc.SERVICE_NAME, ServingStatus.SERVING);
            return new GrpcServer(loops, server, health, streams, new InetSocketAddress(host, server.getPort()));
        } catch (IOException failed) {
            stop(loops);
            throw new IOException(
                    "door.grpc cannot listen on " + host.getHostAddress() + ":"
                            + settings.grpc().port() + ": " + rootMessage(failed),
                    failed);
        }
    }

    /** Older tools, and those of grpcio, know only this version of reflection. */
    @SuppressWarnings("deprecation")
    private static BindableService olderReflection() {
        return ProtoReflectionService.newInstance();
    }

    /** Limits the messages of a service that needs no token, because a small compressed one may be very large when it is read. */
    private static ServerServiceDefinition limitOpen(BindableService service, DoorGrpcSettings grpc) {
        return LimitedMarshaller.limit(service.bindService(), GrpcRequest.MAX_OPEN_MESSAGE, grpc.maxEntries());
    }

    private static void limit(NettyServerBuilder builder, DoorLimits limits, DoorGrpcSettings grpc) {
        // GrpcRequest and LimitedMarshaller limit the messages, because a refusal of the library has no code.
        builder.maxInboundMessageSize(Integer.MAX_VALUE)
                .maxInboundMetadataSize((int) limits.maxHeaders().bytes())
                .flowControlWindow(FLOW_CONTROL_WINDOW)
                .maxConcurrentCallsPerConnection(grpc.maxStreams())
                .maxRstFramesPerWindow(MAX_CANCELLED, CANCELLED_SECONDS)
                .handshakeTimeout(limits.bodyTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .permitKeepAliveTime(grpc.minPingInterval().toMillis(), TimeUnit.MILLISECONDS)
                .permitKeepAliveWithoutCalls(true)
                .keepAliveTime(PING_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(PING_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .maxConnectionIdle(grpc.maxConnectionIdle().toMillis(), TimeUnit.MILLISECONDS)
                .maxConnectionAge(grpc.maxConnectionAge().toMillis(), TimeUnit.MILLISECONDS)
                .maxConnectionAgeGrace(limits.batchDuration().toMillis(), TimeUnit.MILLISECONDS);
    }

    private static String rootMessage(Throwable failure) {
        return failure.getCause() == null ? failure.getMessage() : rootMessage(failure.getCause());
    }

    private static void stop(EventLoopGroup loops) {
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    /** Returns the address that the server listens on. If the configured port is 0, it has the port that the system chose. */
    public InetSocketAddress address() {
        return address;
    }

    /** Sets the result of health checks. */
    public void setReady(boolean ready) {
        ServingStatus status = ready ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
        health.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, status);
        health.setStatus(CallsGrpc.SERVICE_NAME, status);
    }

    /** Fails all health checks, and ends each stream when its open calls have ended. */
    public void drain() {
        health.enterTerminalState();
        streams.drain();
    }

    /** Accepts no further requests, and waits until the callers have the responses, at most for this time. */
    public void awaitResponses(Duration timeout) throws InterruptedException {
        server.shutdown();
        server.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Closes all connections. Does not wait for the threads to end. Does nothing if it is called again. */
    @Override
    public void close() {
        server.shutdownNow();
        stop(loops);
    }
}

package io.iocluster.door.server;

import com.linecorp.armeria.common.util.EventLoopGroups;
import com.linecorp.armeria.server.GracefulShutdown;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import io.iocluster.door.access.AccessControl;
import io.iocluster.door.access.AnswerBudget;
import io.iocluster.door.access.BodyBudget;
import io.iocluster.door.config.DoorLimits;
import io.iocluster.door.config.DoorSettings;
import io.iocluster.door.config.DoorTlsSettings;
import io.iocluster.door.meter.AccessLog;
import io.iocluster.thread.Platform;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.netty.handler.ssl.ClientAuth;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/** The HTTP server of the door. Limits every resource that callers use. Thread-safe. Owned by the door. */
public final class DoorServer implements AutoCloseable {

    /**
     * Longer than the idle timeout of most clients (60 to 90 s). Otherwise some clients send a request while the door closes their
     * connection.
     */
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(100);

    private static final int MAX_STREAMS = 1_000;

    /** Threads that render the metrics. */
    private static final int PAGE_THREADS = 1;

    /** The request line of a forwarded call contains a URL. */
    private static final int MAX_REQUEST_LINE = 16 * 1024;

    private final Server server;
    private final OpenResponses responses;
    private final InetSocketAddress address;

    private DoorServer(Server server, OpenResponses responses, InetSocketAddress address) {
        this.server = server;
        this.responses = responses;
        this.address = address;
    }

    /**
     * Starts the server and binds its address.
     *
     * @param live the current settings; the server uses some only when it starts
     * @throws IOException if the address cannot be bound, or if a certificate cannot be used
     */
    public static DoorServer start(
            Supplier<DoorSettings> live,
            DoorRoutes routes,
            AccessControl access,
            BodyBudget bodies,
            AnswerBudget answers,
            AccessLog log,
            Platform platform)
            throws IOException {
        DoorSettings settings = live.get();
        InetAddress host = InetAddress.getByName(settings.host());
        OpenResponses responses = new OpenResponses(platform);
        DoorService service = new DoorService(
                new RouteTable(routes.entries()), access, new RequestLog(live, log, responses), bodies, answers);
        DoorLimits limits = settings.limits();
        ServerBuilder builder = Server.builder();
        InetSocketAddress local = new InetSocketAddress(host, settings.port());
        if (settings.tls().isEnabled()) {
            secure(builder.https(local), settings.tls());
        } else {
            builder.http(local);
        }
        Server server;
        try {
            server = builder.workerGroup(
                            EventLoopGroups.newEventLoopGroup(
                                    Runtime.getRuntime().availableProcessors(), "iocluster-door", true),
                            true)
                    .childChannelPipelineCustomizer(pipeline -> RequestHeads.watch(
                            pipeline.channel(),
                            limits.bodyTimeout(),
                            settings.tls().isEnabled()))
                    .blockingTaskExecutor(PAGE_THREADS)
                    .maxNumConnections(limits.maxConnections())
                    .http1MaxInitialLineLength(MAX_REQUEST_LINE)
                    .http1MaxHeaderSize((int) limits.maxHeaders().bytes())
                    .http2MaxHeaderListSize(limits.maxHeaders().bytes())
                    .http2MaxStreamsPerConnection(MAX_STREAMS)
                    .idleTimeout(IDLE_TIMEOUT)
                    .requestTimeout(limits.bodyTimeout())
                    .maxRequestLength(limits.maxBody().bytes())
                    .gracefulShutdown(GracefulShutdown.disabled())
                    .disableServerHeader()
                    .disableDateHeader()
                    .meterRegistry(new CompositeMeterRegistry())
                    .errorHandler(new DoorErrorHandler())
                    // The error handler answers timeouts and large bodies, and the service logs defects.
                    .unloggedExceptionsReportInterval(Duration.ZERO)
                    .serviceUnder("/", service)
                    // Armeria checks Content-Length before the route can raise the limit. The route limits each line.
                    .route()
                    .path("exact:" + DoorRoutes.BATCH)
                    .maxRequestLength(0)
                    .build(service)
                    .build();
        } catch (RuntimeException unusable) {
            throw new IOException("door.tls cannot be used: " + unusable.getMessage(), unusable);
        }
        listen(server, local);
        return new DoorServer(server, responses, new InetSocketAddress(host, server.activeLocalPort()));
    }

    private static void secure(ServerBuilder builder, DoorTlsSettings tls) {
        String password = tls.keyPassword().isEmpty() ? null : tls.keyPassword();
        builder.tls(new File(tls.certificate()), new File(tls.key()), password);
        if (tls.requiresClientCertificate()) {
            // Probes have no certificate. The access control requires one for all other requests.
            builder.tlsCustomizer(
                    context -> context.trustManager(new File(tls.clientCa())).clientAuth(ClientAuth.OPTIONAL));
        }
    }

    private static void listen(Server server, InetSocketAddress local) throws IOException {
        try {
            server.start().join();
        } catch (CompletionException failed) {
            server.close();
            throw new IOException(
                    "door cannot listen on " + local.getAddress().getHostAddress() + ":" + local.getPort() + ": "
                            + failed.getCause().getMessage(),
                    failed.getCause());
        }
    }

    /** Returns the address that the server listens on. If the configured port is 0, it has the port that the system chose. */
    public InetSocketAddress address() {
        return address;
    }

    /** Waits until the callers have the responses, at most for this time. */
    public void awaitResponses(Duration timeout) throws InterruptedException {
        responses.awaitNone(timeout);
    }

    /** Closes all connections. Does not wait for Armeria's threads, which take seconds to end. */
    @Override
    public void close() {
        server.closeAsync();
    }
}

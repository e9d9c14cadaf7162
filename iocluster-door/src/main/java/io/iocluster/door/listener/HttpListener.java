package io.iocluster.door.listener;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.util.EventLoopGroups;
import com.linecorp.armeria.server.GracefulShutdown;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/** An HTTP server on one address, with the limits that every server needs. Thread-safe. */
public final class HttpListener implements AutoCloseable {

    /**
     * Longer than the idle timeout of most clients (60 to 90 s). Otherwise some clients send a request while the server closes their
     * connection.
     */
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(100);

    private final Server server;
    private final InetSocketAddress address;

    private HttpListener(Server server, InetSocketAddress address) {
        this.server = server;
        this.address = address;
    }

    /**
     * Binds the address and starts to accept connections.
     *
     * @param certificate empty for plain HTTP
     * @param errors answers what the library refuses before the service sees it
     * @param service answers the requests to all paths
     * @param more sets what only this server needs
     * @throws IOException if the address cannot be bound; the message names it
     */
    public static HttpListener start(
            ListenerSettings settings,
            Optional<ServerCertificate> certificate,
            ServerErrorHandler errors,
            HttpService service,
            Consumer<ServerBuilder> more)
            throws IOException {
        InetAddress host = InetAddress.getByName(settings.host());
        InetSocketAddress local = new InetSocketAddress(host, settings.port());
        ServerBuilder builder = Server.builder();
        certificate.ifPresentOrElse(
                used -> builder.https(local).tls(used.pair()).tlsCustomizer(used::configure),
                () -> builder.http(local));
        builder.workerGroup(
                        EventLoopGroups.newEventLoopGroup(settings.threads(), "iocluster-" + settings.name(), true),
                        true)
                .idleTimeout(IDLE_TIMEOUT)
                .requestTimeout(settings.requestTimeout())
                .maxRequestLength(settings.maxBody())
                .gracefulShutdown(GracefulShutdown.disabled())
                .disableServerHeader()
                .meterRegistry(new CompositeMeterRegistry())
                .errorHandler(errors)
                .serviceUnder("/", service)
                .decorator(HttpListener::serve);
        limitConnections(builder, settings, certificate.isPresent());
        more.accept(builder);
        Server server = builder.build();
        listen(server, settings.name(), local);
        return new HttpListener(server, new InetSocketAddress(host, server.activeLocalPort()));
    }

    private static void limitConnections(ServerBuilder builder, ListenerSettings settings, boolean tls) {
        ConnectionLimit limit = new ConnectionLimit(settings.maxConnections());
        if (!settings.closesOldest()) {
            builder.maxNumConnections(settings.maxConnections());
        }
        builder.childChannelPipelineCustomizer(pipeline -> {
            RequestHeads.watch(pipeline.channel(), settings.requestTimeout(), tls);
            if (settings.closesOldest()) {
                limit.add(pipeline.channel());
            }
        });
    }

    private static HttpResponse serve(HttpService service, ServiceRequestContext context, HttpRequest request)
            throws Exception {
        RequestHeads.arrived(context);
        return service.serve(context, request);
    }

    private static void listen(Server server, String name, InetSocketAddress local) throws IOException {
        try {
            server.start().join();
        } catch (CompletionException failed) {
            server.close();
            throw new IOException(
                    name + " cannot listen on " + local.getAddress().getHostAddress() + ":" + local.getPort() + ": "
                            + failed.getCause().getMessage(),
                    failed.getCause());
        }
    }

    /** Returns the address that the server listens on. If the configured port is 0, it has the port that the system chose. */
    public InetSocketAddress address() {
        return address;
    }

    /** Closes all connections. Does not wait for Armeria's threads, which take seconds to end. */
    @Override
    public void close() {
        server.closeAsync();
    }
}

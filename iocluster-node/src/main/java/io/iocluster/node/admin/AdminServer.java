package io.iocluster.node.admin;

import com.linecorp.armeria.common.util.EventLoopGroups;
import com.linecorp.armeria.server.GracefulShutdown;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import io.iocluster.node.admin.tls.AdminCertificate;
import io.iocluster.node.audit.AuditLog;
import io.iocluster.node.config.AdminSettings;
import io.iocluster.thread.Platform;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;

/**
 * The HTTP server for operators, probes and Prometheus (docs/adr/0020-the-admin-server-is-armeria.md). It has its own event loop and
 * bounds every resource that clients use. Thread-safe. Owned by the node.
 */
public final class AdminServer implements AutoCloseable {

    static final int MAX_CONNECTIONS = 200;
    static final int MAX_BODY_BYTES = 64 * 1024;
    static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(60);

    private final Server server;
    private final AdminService service;
    private final InetSocketAddress address;

    /** Null without TLS. */
    private final AdminCertificate certificate;

    private AdminServer(Server server, AdminService service, InetSocketAddress address, AdminCertificate certificate) {
        this.server = server;
        this.service = service;
        this.address = address;
        this.certificate = certificate;
    }

    /**
     * Starts the server and binds its address.
     *
     * @param features the routes of the node's features
     * @param sections the features' fields of {@code /api/status}, in output order
     * @param audit records the requests that change something
     * @throws IOException if the address cannot be bound, or if the certificate cannot be used; the message names it
     */
    public static AdminServer start(
            AdminSettings settings,
            NodeControl node,
            List<AdminRoute> features,
            List<StatusSection> sections,
            AuditLog audit,
            Platform platform)
            throws IOException {
        InetAddress host = InetAddress.getByName(settings.host());
        boolean tokenRequired = !settings.token().isEmpty();
        if (!host.isLoopbackAddress() && !tokenRequired) {
            throw new IOException("admin.host: " + settings.host() + " is not a loopback address; set admin.token");
        }
        AdminApi api = new AdminApi(node, features, sections, tokenRequired);
        AdminService service = new AdminService(
                api, new AccessControl(settings, host.isLoopbackAddress(), api::access), audit, platform);
        ConnectionLimit connections = new ConnectionLimit(MAX_CONNECTIONS);
        AdminCertificate certificate = settings.tls().isEnabled() ? new AdminCertificate(settings.tls()) : null;
        Server server = listener(new InetSocketAddress(host, settings.port()), certificate)
                .workerGroup(EventLoopGroups.newEventLoopGroup(1, "iocluster-admin", true), true)
                .childChannelPipelineCustomizer(pipeline -> connections.add(pipeline.channel()))
                .idleTimeout(IDLE_TIMEOUT)
                .requestTimeout(REQUEST_TIMEOUT)
                .maxRequestLength(MAX_BODY_BYTES)
                .gracefulShutdown(GracefulShutdown.disabled())
                .disableServerHeader()
                .meterRegistry(new CompositeMeterRegistry())
                .errorHandler(new AdminErrorHandler())
                .serviceUnder("/", service)
                .build();
        listen(server, host, settings.port(), service);
        return new AdminServer(server, service, new InetSocketAddress(host, server.activeLocalPort()), certificate);
    }

    private static ServerBuilder listener(InetSocketAddress address, AdminCertificate certificate) {
        return certificate == null
                ? Server.builder().http(address)
                : Server.builder().https(address).tlsProvider(certificate);
    }

    private static void listen(Server server, InetAddress host, int port, AdminService service) throws IOException {
        try {
            server.start().join();
        } catch (CompletionException failed) {
            server.close();
            service.close();
            throw new IOException(
                    "admin cannot listen on " + host.getHostAddress() + ":" + port + ": "
                            + failed.getCause().getMessage(),
                    failed.getCause());
        }
    }

    /** Reads the files of the certificate again, and returns whether it has changed. Does nothing without TLS. */
    public boolean reloadCertificate() {
        return certificate != null && certificate.reload();
    }

    /** Returns the address that the server listens on. If the configured port is 0, it has the port that the system chose. */
    public InetSocketAddress address() {
        return address;
    }

    /** Closes all connections. Does not wait for Armeria's threads, which take seconds to end. */
    @Override
    public void close() {
        server.closeAsync();
        service.close();
    }
}

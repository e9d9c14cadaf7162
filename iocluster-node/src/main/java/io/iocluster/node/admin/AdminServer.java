package io.iocluster.node.admin;

import io.iocluster.door.listener.HttpListener;
import io.iocluster.door.listener.ListenerSettings;
import io.iocluster.door.listener.ServerCertificate;
import io.iocluster.node.audit.AuditLog;
import io.iocluster.node.config.AdminSettings;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The HTTP server for operators, probes and Prometheus (docs/adr/0020-the-admin-server-is-armeria.md). It has its own event loop and
 * bounds every resource that clients use. Thread-safe. Owned by the node.
 */
public final class AdminServer implements AutoCloseable {

    static final int MAX_CONNECTIONS = 200;
    static final int MAX_BODY_BYTES = 64 * 1024;
    static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);

    private final HttpListener listener;
    private final AdminService service;

    /** Empty without TLS. */
    private final Optional<ServerCertificate> certificate;

    private AdminServer(HttpListener listener, AdminService service, Optional<ServerCertificate> certificate) {
        this.listener = listener;
        this.service = service;
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
        boolean onLoopback = InetAddress.getByName(settings.host()).isLoopbackAddress();
        boolean tokenRequired = !settings.token().isEmpty();
        if (!onLoopback && !tokenRequired) {
            throw new IOException("admin.host: " + settings.host() + " is not a loopback address; set admin.token");
        }
        Optional<ServerCertificate> certificate = ServerCertificate.read(
                "admin server", "admin.tls", settings.tls().server());
        AdminApi api = new AdminApi(node, features, sections, tokenRequired);
        AdminService service =
                new AdminService(api, new AccessControl(settings, onLoopback, api::access), audit, platform);
        ListenerSettings listening = new ListenerSettings(
                "admin", settings.host(), settings.port(), 1, MAX_CONNECTIONS, true, REQUEST_TIMEOUT, MAX_BODY_BYTES);
        try {
            HttpListener listener =
                    HttpListener.start(listening, certificate, new AdminErrorHandler(), service, builder -> {});
            return new AdminServer(listener, service, certificate);
        } catch (IOException | RuntimeException failed) {
            service.close();
            throw failed;
        }
    }

    /** Reads the files of the certificate again, and returns whether it has changed. Does nothing without TLS. */
    public boolean reloadCertificate() {
        return certificate.map(ServerCertificate::reload).orElse(false);
    }

    /** Returns the address that the server listens on. If the configured port is 0, it has the port that the system chose. */
    public InetSocketAddress address() {
        return listener.address();
    }

    /** Closes all connections. Does not wait for Armeria's threads, which take seconds to end. */
    @Override
    public void close() {
        listener.close();
        service.close();
    }
}

package io.iocluster.node.door;

import io.iocluster.door.Door;
import io.iocluster.door.DoorEnvironment;
import io.iocluster.door.config.DoorSettings;
import io.iocluster.door.config.DoorTransport;
import io.iocluster.door.http.DoorPages;
import io.iocluster.door.http.DoorPages.Page;
import io.iocluster.door.status.DoorInfo;
import io.iocluster.node.admin.ConsoleFile;
import io.iocluster.node.audit.AuditLog;
import io.iocluster.node.config.BuildInfo;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.consul.ConsulIntegration;
import io.iocluster.node.consul.ConsulMeters;
import io.iocluster.node.consul.RegisteredProcess;
import io.iocluster.node.logging.NodeLogging;
import io.iocluster.node.metrics.CertificateMeters;
import io.iocluster.node.reload.ConfigurationMeters;
import io.iocluster.node.reload.ConfigurationWatcher;
import io.iocluster.node.reload.LiveConfiguration;
import io.iocluster.node.runtime.NodeParts;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A door with its configuration, metrics, tracing and Consul. Owns them. Thread-safe. */
public final class DoorProcess implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DoorProcess.class);

    private final DoorBackend backend;
    private final Platform platform;
    private final NodeParts parts;
    private final Door door;
    private final LiveConfiguration configuration;
    private final Optional<ConsulIntegration> consul;
    private final CertificateMeters certificates;

    private DoorProcess(LoadedSettings<NodeSettings> loaded, DoorBackend backend, Platform platform)
            throws IOException {
        this.backend = backend;
        this.platform = platform;
        this.parts = new NodeParts(platform);
        parts.add("calls and metrics", backend);
        NodeSettings settings = loaded.settings();
        this.certificates = new CertificateMeters(CertificateMeters.filesOfDoor(settings));
        try {
            configuration = new LiveConfiguration(loaded, this::apply, platform.clock(), new AuditLog(platform::nanos));
            door = parts.add(
                    "door",
                    Door.start(hosts(settings), backend.calls(), environment(settings, backend::metrics, platform)));
            backend.bind(door.meters());
            backend.bind(new ConfigurationMeters(configuration::status));
            backend.bind(certificates);
            consul = register(settings);
            consul.ifPresent(presence -> parts.add("Consul", presence));
            consul.ifPresent(presence -> backend.bind(new ConsulMeters(presence::status)));
            consul.ifPresent(ConsulIntegration::awaitServices);
            backend.start();
        } catch (IOException | RuntimeException | Error failed) {
            parts.close();
            throw failed;
        }
    }

    private Optional<ConsulIntegration> register(NodeSettings settings) {
        return ConsulIntegration.start(
                settings,
                RegisteredProcess.door(settings, door.address()),
                door::problem,
                backend::services,
                backend::setService,
                platform);
    }

    /**
     * Starts a door. Its settings say whether it makes calls itself.
     *
     * @throws IOException if it cannot listen, or if it needs a broker and cannot reach it; the message is for users
     */
    public static DoorProcess start(LoadedSettings<NodeSettings> loaded) throws IOException {
        NodeSettings settings = loaded.settings();
        Platform platform = Platform.system();
        DoorBackend backend = settings.door().transport() == DoorTransport.LOCAL
                ? LocalBackend.create(settings, platform)
                : QueueBackend.connect(settings, platform);
        return start(loaded, backend, platform);
    }

    /**
     * Starts a door that makes its calls with this backend.
     *
     * @param backend the door closes it, even if the door cannot start
     */
    static DoorProcess start(LoadedSettings<NodeSettings> loaded, DoorBackend backend, Platform platform)
            throws IOException {
        NodeSettings settings = loaded.settings();
        DoorProcess process = new DoorProcess(loaded, backend, platform);
        warn(DoorWarnings.of(settings));
        process.logStarted(settings);
        return process;
    }

    private void logStarted(NodeSettings settings) {
        LOG.info(
                "Door started version={} java={} door={} transport={} address={}://{}:{} grpc={}",
                BuildInfo.VERSION,
                Runtime.version(),
                settings.node().id(),
                transportName(settings),
                settings.door().tls().isEnabled() ? "https" : "http",
                address().getHostString(),
                address().getPort(),
                grpcAddress()
                        .map(grpc -> grpc.getHostString() + ":" + grpc.getPort())
                        .orElse("off"));
    }

    private static void warn(List<String> warnings) {
        warnings.forEach(each -> LOG.warn("Door has a setting to correct problem=\"{}\"", each));
    }

    private static DoorSettings hosts(NodeSettings settings) {
        return settings.door().withHosts(settings.destinations());
    }

    /**
     * Applies changes of the configuration file and of the key in Consul until the door stops. Call it once.
     *
     * @param loader the loader of the door's initial settings
     */
    public void watchConfiguration(Path file, SettingsLoader<NodeSettings> loader) {
        ConfigurationWatcher watcher =
                parts.add("configuration", ConfigurationWatcher.start(file, loader, configuration, platform));
        consul.ifPresent(presence -> presence.watchKey(watcher::setOverlay));
    }

    private boolean apply(NodeSettings next) {
        NodeSettings before = configuration.current().settings();
        Supplier<Boolean> reconfigure = () -> backend.apply(next);
        boolean changed = consul.map(presence -> presence.apply(before, next, reconfigure))
                .orElseGet(reconfigure);
        boolean certificateChanged = door.update(hosts(next));
        certificates.update(CertificateMeters.filesOfDoor(next));
        if (next.logging().level() != before.logging().level()) {
            NodeLogging.setLevel(next.logging().level());
        }
        List<String> warnings = DoorWarnings.of(next);
        if (!warnings.equals(DoorWarnings.of(before))) {
            warn(warnings);
        }
        return changed || certificateChanged || !next.equals(before);
    }

    /** Returns the address that the door listens on. */
    public InetSocketAddress address() {
        return door.address();
    }

    /** Returns the address that the door listens on for gRPC; empty if it does not. */
    public Optional<InetSocketAddress> grpcAddress() {
        return door.grpcAddress();
    }

    /** Accepts no further calls, and waits for the open ones. Returns whether all ended within {@code shutdown.drain-timeout}. */
    public boolean drain() throws InterruptedException {
        Duration within = configuration.current().settings().shutdown().drainTimeout();
        LOG.info("Draining timeout={}", within);
        boolean ended = door.drain(within);
        if (ended) {
            LOG.info("Drain finished");
        } else {
            LOG.warn("Drain timed out timeout={}; the callers of the open calls get no answer", within);
        }
        return ended;
    }

    @Override
    public void close() {
        parts.close();
    }

    private static DoorEnvironment environment(
            NodeSettings settings, Function<String, Page> metrics, Platform platform) {
        return new DoorEnvironment(
                new DoorInfo(settings.node().id(), BuildInfo.VERSION, transportName(settings)),
                settings.workers().maxBranches(),
                settings.producers().maxApps(),
                new DoorPages(metrics, DoorProcess::consoleFile),
                platform);
    }

    private static Page consoleFile(String name) {
        ConsoleFile file = name.isEmpty() ? ConsoleFile.doorPage() : ConsoleFile.find(name);
        return file == null ? null : new Page(file.type(), file.content(), file.headers());
    }

    private static String transportName(NodeSettings settings) {
        return settings.door().transport() == DoorTransport.LOCAL
                ? LocalBackend.NAME
                : settings.transport().wireName();
    }
}

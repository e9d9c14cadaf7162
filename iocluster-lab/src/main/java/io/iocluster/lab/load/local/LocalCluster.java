package io.iocluster.lab.load.local;

import io.iocluster.node.cli.admin.AdminClient;
import io.iocluster.testkit.target.TargetServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * A Kafka broker, nodes and three targets on this machine. Each target has its own loopback address, so that nodes see three
 * destinations: shop, partner and warehouse. Confined to one thread, except {@link #close}.
 */
final class LocalCluster implements AutoCloseable {

    private static final List<String> TARGET_HOSTS = List.of("127.0.0.1", "127.0.0.2", "127.0.0.3");
    private static final Duration RESTART_DELAY = Duration.ofSeconds(5);
    private static final Duration STARTUP = Duration.ofSeconds(60);
    private static final long POLL_MILLIS = 200;

    private final LocalPorts ports;
    private final Deque<AutoCloseable> resources = new ArrayDeque<>();
    private final List<String> nodeUrls = new ArrayList<>();
    private Supervisor supervisor;
    private volatile boolean closing;

    LocalCluster(LocalPorts ports) {
        this.ports = ports;
    }

    /**
     * Starts everything and returns when all nodes are ready.
     *
     * @param folder for configurations, logs and files with process ids
     * @param log receives messages for the user
     * @throws IOException if a port is in use or a process does not start; the message is for the user
     */
    void start(int nodes, Path folder, Consumer<String> log) throws IOException, InterruptedException {
        checkFree(ports.broker());
        for (int i = 0; i < nodes; i++) {
            checkFree(ports.admin() + i);
        }
        Files.createDirectories(
                folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        for (String host : TARGET_HOSTS) {
            own(startTarget(host));
        }
        List<Member> members = new ArrayList<>();
        BrokerMember broker = own(new BrokerMember(ports.broker()));
        members.add(broker);
        for (int i = 0; i < nodes; i++) {
            String name = "node-" + (i + 1);
            NodeMember node = own(
                    new NodeMember(name, configuration(name, broker.bootstrapServers(), ports.admin() + i), folder));
            members.add(node);
            nodeUrls.add("http://127.0.0.1:" + (ports.admin() + i));
        }
        supervisor = new Supervisor(members, folder, RESTART_DELAY, log);
        resources.push(supervisor::close);
        for (int i = 0; i < nodes; i++) {
            awaitReady((NodeMember) members.get(i + 1), nodeUrls.get(i));
        }
    }

    private synchronized <T extends AutoCloseable> T own(T resource) {
        resources.push(resource);
        return resource;
    }

    private static void checkFree(int port) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress("127.0.0.1", port));
        } catch (IOException used) {
            throw new IOException(
                    "127.0.0.1:" + port + " is in use; stop the other program, or choose another port", used);
        }
    }

    private TargetServer startTarget(String host) throws IOException {
        try {
            return TargetServer.start(host, ports.target(), 1, false);
        } catch (Exception refused) {
            // Netty throws the checked exception of the bind without declaring it.
            if (refused instanceof IOException) {
                throw new IOException(
                        host + ":" + ports.target() + " cannot be used: " + refused.getMessage(), refused);
            }
            throw refused;
        }
    }

    private static String configuration(String name, String bootstrapServers, int adminPort) {
        return """
                node: {id: %s}
                transport: kafka
                kafka: {bootstrap-servers: "%s"}
                admin: {port: %d}
                egress: {schemes: [http], ports: [], allow-networks: [127.0.0.0/8]}
                destinations:
                  - {match: 127.0.0.1, name: shop}
                  - {match: 127.0.0.2, name: partner}
                  - {match: 127.0.0.3, name: warehouse}
                """.formatted(name, bootstrapServers, adminPort);
    }

    private static void awaitReady(NodeMember node, String url) throws IOException, InterruptedException {
        AdminClient admin = AdminClient.of(URI.create(url), "");
        Instant end = Instant.now().plus(STARTUP);
        while (true) {
            try {
                if (admin.get("/api/status").path("state").asString("").equals("running")) {
                    return;
                }
            } catch (IOException notYet) {
                if (!node.isAlive() || Instant.now().isAfter(end)) {
                    throw new IOException(node.name() + " did not start:\n" + node.logTail(), notYet);
                }
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** Returns the URLs of the nodes' admin servers. */
    List<String> nodeUrls() {
        return List.copyOf(nodeUrls);
    }

    /** Returns the URLs of the targets. */
    List<String> targetUrls() {
        return TARGET_HOSTS.stream()
                .map(host -> "http://" + host + ":" + ports.target())
                .toList();
    }

    /** Starts processes again that have died, until the time, {@link #close} or an interrupt. */
    void supervise(Instant end) throws InterruptedException {
        while (!closing && Instant.now().isBefore(end)) {
            supervisor.tick(Instant.now());
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** Stops everything, latest first. Thread-safe. */
    @Override
    public synchronized void close() throws Exception {
        closing = true;
        while (!resources.isEmpty()) {
            resources.pop().close();
        }
    }
}

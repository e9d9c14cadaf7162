package io.iocluster.lab.load.local;

import io.iocluster.node.cli.admin.AdminClient;
import io.iocluster.settings.DurationText;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A broker, nodes and three targets on this machine. Each target has its own loopback address, so that nodes see three
 * destinations: shop, partner and warehouse. Confined to one thread, except {@link #close}.
 */
final class LocalCluster implements AutoCloseable {

    /** The address of each destination. */
    private static final Map<String, String> TARGET_HOSTS = targetHosts();

    private static final Duration RESTART_DELAY = Duration.ofSeconds(5);
    private static final Duration STARTUP = Duration.ofMinutes(3);
    private static final long POLL_MILLIS = 200;

    private final BrokerMember.Kind kind;
    private final LocalPorts ports;
    private final Deque<AutoCloseable> resources = new ArrayDeque<>();
    private final List<String> nodeUrls = new ArrayList<>();
    private Supervisor supervisor;
    private volatile boolean closing;

    LocalCluster(BrokerMember.Kind kind, LocalPorts ports) {
        this.kind = kind;
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
        checkFree(ports.broker(), "broker-port");
        for (int i = 0; i < nodes; i++) {
            checkFree(ports.admin() + i, "admin-port");
        }
        Files.createDirectories(
                folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        for (String host : TARGET_HOSTS.values()) {
            own(TargetCommand.start(host, ports.target(), 1));
        }
        List<Member> members = new ArrayList<>();
        BrokerMember broker = own(BrokerMember.start(kind, ports.broker()));
        members.add(broker);
        for (int i = 0; i < nodes; i++) {
            String name = "node-" + (i + 1);
            NodeMember node =
                    own(new NodeMember(name, configuration(name, broker.nodeSettings(), ports.admin() + i), folder));
            members.add(node);
            nodeUrls.add("http://127.0.0.1:" + (ports.admin() + i));
        }
        supervisor = new Supervisor(members, folder, RESTART_DELAY, log);
        resources.push(supervisor::close);
        for (int i = 0; i < nodes; i++) {
            NodeMember node = (NodeMember) members.get(i + 1);
            awaitReady(
                    node.name(),
                    node::isAlive,
                    node::logTail,
                    AdminClient.of(URI.create(nodeUrls.get(i)), ""),
                    STARTUP);
        }
    }

    private static Map<String, String> targetHosts() {
        Map<String, String> hosts = new LinkedHashMap<>();
        hosts.put("shop", "127.0.0.1");
        hosts.put("partner", "127.0.0.2");
        hosts.put("warehouse", "127.0.0.3");
        return hosts;
    }

    private synchronized <T extends AutoCloseable> T own(T resource) {
        resources.push(resource);
        return resource;
    }

    private static void checkFree(int port, String option) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress("127.0.0.1", port));
        } catch (IOException used) {
            throw new IOException(
                    "127.0.0.1:" + port + " is in use; stop the other program, or choose another port with --" + option,
                    used);
        }
    }

    private static String configuration(String name, String brokerSettings, int adminPort) {
        return """
                node: {id: %s}
                %s
                admin: {port: %d}
                egress: {schemes: [http], ports: [], allow-networks: [127.0.0.0/8]}
                destinations:
                %s
                """.formatted(
                        name,
                        brokerSettings,
                        adminPort,
                        TARGET_HOSTS.entrySet().stream()
                                .map(target -> "  - {match: " + target.getValue() + ", name: " + target.getKey() + "}")
                                .collect(Collectors.joining("\n")));
    }

    /**
     * Waits until the node runs.
     *
     * @param log the last lines of the node's log
     * @throws IOException if it ends or takes too long; the message has the log
     */
    static void awaitReady(
            String name, BooleanSupplier alive, Supplier<String> log, AdminClient admin, Duration timeout)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        String state = "not reachable";
        while (alive.getAsBoolean() && System.nanoTime() - end < 0) {
            try {
                state = admin.get("/api/status").path("state").asString("unknown");
                if (state.equals("running")) {
                    return;
                }
            } catch (IOException notYet) {
                state = notYet.getMessage();
            }
            Thread.sleep(POLL_MILLIS);
        }
        throw new IOException(name
                + (alive.getAsBoolean()
                        ? " is not ready after " + DurationText.format(timeout) + " (" + state + ")"
                        : " ended")
                + ":\n" + log.get());
    }

    /** Returns the URLs of the nodes' admin servers. */
    List<String> nodeUrls() {
        return List.copyOf(nodeUrls);
    }

    /** Returns the URLs of the targets by the names of their destinations. */
    Map<String, String> targets() {
        Map<String, String> targets = new LinkedHashMap<>();
        TARGET_HOSTS.forEach((name, host) -> targets.put(name, "http://" + host + ":" + ports.target()));
        return targets;
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

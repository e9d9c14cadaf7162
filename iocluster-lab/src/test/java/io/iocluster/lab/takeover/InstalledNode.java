package io.iocluster.lab.takeover;

import static org.awaitility.Awaitility.await;

import io.iocluster.node.cli.admin.AdminClient;
import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.process.NativeCommand;
import io.iocluster.testkit.process.NativeProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A node that {@code bin/iocluster run} starts, with its AOT cache and default settings. Confined to one thread. */
final class InstalledNode implements AutoCloseable {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final Path configuration;
    private final AdminClient admin;
    private Path home;
    private NativeProcess process;

    /**
     * Writes the configuration of a node, which does not run yet.
     *
     * @param home the folder of the installation
     * @param settings the settings of its broker, in YAML
     * @param warmUp the value of {@code node.warm-up}
     */
    InstalledNode(Path home, Path folder, String id, String settings, String warmUp) {
        int port = FreePorts.find(1)[0];
        this.home = home;
        configuration = folder.resolve(id + ".yaml");
        try {
            Files.writeString(configuration, """
                    node: {id: %s, warm-up: %s}
                    admin: {port: %d}
                    egress: {ports: [], allow-networks: [127.0.0.0/8]}
                    %s
                    """.formatted(id, warmUp, port, settings));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        admin = AdminClient.of(URI.create("http://127.0.0.1:" + port), "");
    }

    /** Starts it from another installation the next time. */
    void moveTo(Path installation) {
        home = installation;
    }

    /** Starts it and returns at once. */
    void start() {
        Path folder = configuration.getParent();
        process = NativeProcess.start(new NativeCommand(
                List.of(home.resolve("bin/iocluster").toString(), "run", "--config", configuration.toString()),
                Map.of("HOME", folder.toString(), "IOCLUSTER_AOT_CACHE", "use"),
                Path.of(configuration + ".log")));
    }

    /** Waits until the warm-up has ended and the node reads. */
    void awaitRunning() {
        await().atMost(LONG)
                .pollInterval(Duration.ofMillis(100))
                .failFast(() -> {
                    if (!process.isAlive()) {
                        throw new AssertionError(process.logTail(40));
                    }
                })
                .until(this::isRunning);
    }

    private boolean isRunning() throws InterruptedException {
        try {
            return admin.get("/api/status").path("state").asString("").equals("running");
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Sends the signal and waits until the process has ended. */
    void end(Signal signal) {
        if (signal == Signal.SIGKILL) {
            process.kill();
        } else {
            process.terminate(LONG);
        }
    }

    /** The ways in which a process ends. */
    enum Signal {
        SIGTERM,
        SIGKILL
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
    }
}

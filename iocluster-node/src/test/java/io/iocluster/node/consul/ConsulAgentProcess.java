package io.iocluster.node.consul;

import static org.awaitility.Awaitility.await;

import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.process.NativeCommand;
import io.iocluster.testkit.process.NativeProcess;
import io.iocluster.testkit.process.TempDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Runs a single Consul server as a child process. Owned by one test. */
final class ConsulAgentProcess implements TestAgent {

    private final TempDirectory folder = new TempDirectory("consul");
    private final String executable;
    private final int[] ports = FreePorts.find(5);
    private NativeProcess process;

    ConsulAgentProcess(String executable) {
        this.executable = executable;
        start();
    }

    private void start() {
        process = NativeProcess.start(new NativeCommand(
                List.of(
                        executable,
                        "agent",
                        "-server",
                        "-bootstrap-expect=1",
                        "-data-dir=" + folder.resolve("data"),
                        "-bind=127.0.0.1",
                        "-client=127.0.0.1",
                        "-http-port=" + ports[0],
                        "-server-port=" + ports[1],
                        "-serf-lan-port=" + ports[2],
                        "-serf-wan-port=" + ports[3],
                        "-dns-port=" + ports[4],
                        "-grpc-port=-1",
                        "-grpc-tls-port=-1",
                        "-log-level=warn"),
                Map.of(),
                folder.resolve("consul.log")));
        await().until(() -> hasLeader() || !process.isAlive());
        if (!process.isAlive()) {
            throw new IllegalStateException("the Consul agent did not start:\n" + process.logTail(40));
        }
    }

    private boolean hasLeader() {
        try {
            HttpURLConnection connection = (HttpURLConnection)
                    URI.create(address() + "/v1/status/leader").toURL().openConnection();
            return new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8).length() > 2;
        } catch (IOException notYet) {
            return false;
        }
    }

    @Override
    public String address() {
        return "http://127.0.0.1:" + ports[0];
    }

    @Override
    public void stop() {
        process.kill();
    }

    @Override
    public void restart() {
        delete(folder.resolve("data").resolve("services"));
        delete(folder.resolve("data").resolve("checks"));
        start();
    }

    private static void delete(Path root) {
        try (Stream<Path> all = Files.exists(root) ? Files.walk(root) : Stream.empty()) {
            all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() {
        process.kill();
        folder.close();
    }
}

package io.iocluster.lab.load.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.lab.load.command.LoadCommand;
import io.iocluster.lab.load.result.ResultJson;
import io.iocluster.lab.load.result.RunResult;
import io.iocluster.node.Main;
import io.iocluster.node.cli.admin.AdminClient;
import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.process.JavaCommand;
import io.iocluster.testkit.process.JavaProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** The {@code load} commands as processes, on the broker, the nodes and the targets of a {@code load cluster}. */
final class LoadProcesses implements AutoCloseable {

    static final Duration LONG = Duration.ofMinutes(5);

    /** The warm-up of a node would take more CPU time than the calls of the tests. */
    private static final Map<String, String> COLD_NODES = Map.of("IOCLUSTER_NODE_WARM_UP", "0s");

    private final Path folder;
    private final Deque<JavaProcess> processes = new ArrayDeque<>();
    private final JavaProcess cluster;
    private final String broker;
    private final int brokerPort;
    private final int targetPort;
    private final int adminPort;
    private int started;

    /**
     * Starts a cluster and waits until its nodes are ready.
     *
     * @param broker {@code kafka} or {@code rabbit}
     */
    LoadProcesses(Path folder, String broker, int nodes) {
        this.folder = folder;
        this.broker = broker;
        int[] ports = FreePorts.find(4);
        brokerPort = ports[0];
        adminPort = ports[1];
        targetPort = ports[3];
        cluster = start(
                "cluster",
                "--broker=" + broker,
                "--nodes=" + nodes,
                "--broker-port=" + brokerPort,
                "--admin-port=" + adminPort,
                "--target-port=" + targetPort,
                "--folder=" + folder.resolve("cluster"));
        awaitLog(cluster, "folder   ");
    }

    String bootstrapServers() {
        return "127.0.0.1:" + brokerPort;
    }

    private String brokerSettings() {
        return broker.equals("kafka")
                ? "kafka: {bootstrap-servers: \"" + bootstrapServers() + "\"}"
                : "rabbit: {uris: [\"amqp://guest:guest@127.0.0.1:" + brokerPort + "/\"]}";
    }

    String target() {
        return "http://127.0.0.1:" + targetPort;
    }

    /** Returns the process of the cluster, which starts those of the broker and the nodes. */
    JavaProcess cluster() {
        return cluster;
    }

    /** Returns a client of the admin server of the first node. */
    AdminClient node() {
        return AdminClient.of(URI.create("http://127.0.0.1:" + adminPort), "");
    }

    /** Writes an experiment on the cluster. */
    Path experiment(String yaml) throws IOException {
        return Files.writeString(
                folder.resolve("experiment-" + ++started + ".yaml"), """
                name: test
                system: {kind: %s, %s}
                %s
                """.formatted(broker, brokerSettings(), yaml));
    }

    /** Starts an agent. */
    JavaProcess agent(String name) throws IOException {
        Path config = Files.writeString(
                folder.resolve("agent.yaml"), "transport: " + broker + "\n" + brokerSettings() + "\n");
        return start("agent", "--config=" + config, "--name=" + name);
    }

    /** Starts a run whose reports are in {@link #results}. */
    JavaProcess run(Path experiment, String... options) {
        List<String> arguments = new ArrayList<>(List.of("run", experiment.toString(), "--out=" + results()));
        arguments.addAll(List.of(options));
        return start(arguments.toArray(String[]::new));
    }

    /** Runs an experiment, which must succeed, and returns its result. */
    RunResult result(Path experiment, String... options) throws IOException {
        JavaProcess run = run(experiment, options);
        assertThat(run.awaitExit(LONG)).as(run.logTail(40)).isTrue();
        assertThat(run.exitCode()).as(run.logTail(40)).isZero();
        return readResult();
    }

    Path results() {
        return folder.resolve("results");
    }

    RunResult readResult() throws IOException {
        return ResultJson.read(results().resolve("result.json"));
    }

    private JavaProcess start(String... arguments) {
        List<String> all = new ArrayList<>(List.of("load"));
        all.addAll(List.of(arguments));
        JavaProcess process = JavaProcess.startInterruptible(
                new JavaCommand(
                        JavaCommand.classPathFor(LoadCommand.class),
                        List.of("-Xmx256m", "-XX:+UseParallelGC"),
                        Main.class.getName(),
                        all,
                        folder.resolve(arguments[0] + "-" + ++started + ".log")),
                COLD_NODES);
        processes.push(process);
        return process;
    }

    static void awaitLog(JavaProcess process, String text) {
        await().atMost(LONG)
                .failFast(() ->
                        assertThat(process.isAlive()).as(process.logTail(40)).isTrue())
                .until(() -> process.logTail(1_000).contains(text));
    }

    @Override
    public void close() {
        processes.forEach(JavaProcess::close);
    }
}

package io.iocluster.lab.load.local;

import io.iocluster.node.cli.terminal.DurationArgument;
import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.settings.DurationText;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs a small cluster for load tests. */
@Command(
        name = "cluster",
        description =
                "Runs a broker, nodes and three test targets on this machine, for the experiments in"
                        + " examples/load. A process that dies starts again after five seconds. It runs until you press Ctrl-C.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {
            "0:The cluster ran until --for.",
            "1:A port is in use, or a process did not start.",
            "2:The command line is wrong."
        })
public final class ClusterCommand implements Callable<Integer> {

    private static final int MAX_NODES = 8;
    private static final Duration VERY_LONG = Duration.ofDays(3_650);

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--nodes",
            defaultValue = "2",
            paramLabel = "N",
            description = "Number of nodes (default: ${DEFAULT-VALUE}).")
    private int nodes;

    @Option(
            names = "--broker",
            defaultValue = "kafka",
            paramLabel = "BROKER",
            description = "kafka or rabbit, which must be installed (default: ${DEFAULT-VALUE}).")
    private String broker;

    @Option(
            names = "--broker-port",
            paramLabel = "PORT",
            description = "Port of the broker (default: 9092, with rabbit 5672).")
    private Integer brokerPort;

    @Option(
            names = "--admin-port",
            defaultValue = "8091",
            paramLabel = "PORT",
            description =
                    "Port of the first node's admin server; the next nodes have the next ports (default: ${DEFAULT-VALUE}).")
    private int adminPort;

    @Option(
            names = "--target-port",
            defaultValue = "9000",
            paramLabel = "PORT",
            description = "Port of the targets on 127.0.0.1, 127.0.0.2 and 127.0.0.3 (default: ${DEFAULT-VALUE}).")
    private int targetPort;

    @Option(
            names = "--folder",
            defaultValue = "${sys:user.home}/.iocluster-load",
            paramLabel = "FOLDER",
            description = "Folder for logs and for the files with process ids, which faults use: broker.pid, node-1.pid"
                    + " (default: ~/.iocluster-load).")
    private Path folder;

    @Option(
            names = "--for",
            paramLabel = "DURATION",
            converter = DurationArgument.class,
            description = "Ends after this time, such as 10m.")
    private Duration duration;

    public ClusterCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        if (nodes < 1 || nodes > MAX_NODES) {
            throw new ParameterException(spec.commandLine(), "--nodes must be from 1 to " + MAX_NODES + ": " + nodes);
        }
        BrokerMember.Kind kind = kind();
        int port = brokerPort == null ? kind.defaultPort() : brokerPort;
        LocalCluster cluster = new LocalCluster(kind, new LocalPorts(port, adminPort, targetPort));
        Thread hook = new Thread(() -> close(cluster), "iocluster-load-cluster-cleanup");
        Runtime.getRuntime().addShutdownHook(hook);
        try (cluster) {
            terminal.err()
                    .println("Starting a broker, " + nodes
                            + " nodes and 3 targets, which can take a minute. Press Ctrl-C to stop…");
            cluster.start(nodes, folder, terminal.err()::println);
            terminal.out().println("broker   127.0.0.1:" + port);
            cluster.nodeUrls().forEach(url -> terminal.out().println("node     " + url));
            cluster.targets().forEach((name, url) -> terminal.out().println("target   " + url + " (" + name + ")"));
            terminal.out().println("folder   " + folder);
            terminal.out().flush();
            terminal.err().println(ready(duration));
            cluster.supervise(Instant.now().plus(duration == null ? VERY_LONG : duration));
        }
        return ExitCode.OK;
    }

    /** Returns what the user may do now, and how the cluster ends. */
    static String ready(Duration duration) {
        return "The cluster is ready. Run experiments in another terminal. "
                + (duration == null
                        ? "Press Ctrl-C to stop it."
                        : "It stops after " + DurationText.format(duration) + ", or when you press Ctrl-C.");
    }

    private BrokerMember.Kind kind() {
        try {
            return BrokerMember.Kind.valueOf(broker.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw new ParameterException(spec.commandLine(), "--broker must be kafka or rabbit: " + broker, unknown);
        }
    }

    private static void close(LocalCluster cluster) {
        try {
            cluster.close();
        } catch (Exception failed) {
            LoggerFactory.getLogger(ClusterCommand.class).warn("Cleanup failed", failed);
        }
    }
}

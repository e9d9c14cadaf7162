package io.iocluster.node.cli;

import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.cli.terminal.ConfigOption;
import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import io.iocluster.node.runtime.BrokerPipelineFactory;
import io.iocluster.node.runtime.Node;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs a node until SIGTERM or SIGINT. */
@Command(
        name = "run",
        description = "Runs a node until SIGTERM or SIGINT, then drains it.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {
            "0:All open calls ended within shutdown.drain-timeout after SIGTERM or SIGINT.",
            "1:Some calls did not end in time and went back to the queue, or the node did not start.",
            "2:The command line or the configuration is invalid."
        })
final class RunCommand implements Callable<Integer> {

    private final Terminal terminal;
    private final BrokerAccess broker;

    @Mixin
    private ConfigOption config;

    RunCommand(Terminal terminal, BrokerAccess broker) {
        this.terminal = terminal;
        this.broker = broker;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        LoadedSettings<NodeSettings> settings = config.load(terminal.environment());
        settings.settings().requireUsableBrokerClient();
        CompletableFuture<Node> created = new CompletableFuture<>();
        AtomicBoolean failed = new AtomicBoolean();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> drainOnceCreated(created, failed), "iocluster-shutdown"));
        try {
            Node node = Node.create(settings, new BrokerPipelineFactory(broker));
            created.complete(node);
            node.watchConfiguration(config.file(), config.loader());
            node.start();
        } catch (Throwable notStarted) {
            failed.set(true);
            throw notStarted;
        } finally {
            created.cancel(false);
        }
        new CountDownLatch(1).await();
        return ExitCode.OK;
    }

    /**
     * Waits for the creation if a signal arrives during it. A node that was not created has nothing to drain, and one that did not start
     * ends with the exit code of that failure.
     */
    private static void drainOnceCreated(CompletableFuture<Node> created, AtomicBoolean failed) {
        Optional<Node> node =
                created.handle((each, notCreated) -> Optional.ofNullable(each)).join();
        if (!failed.get()) {
            node.ifPresent(RunCommand::drain);
        }
    }

    /** Halts the JVM, which would otherwise exit with the code of the signal instead of the result of the drain. */
    private static void drain(Node node) {
        int code = ExitCode.FAILURE;
        try (node) {
            code = node.awaitDrained() ? ExitCode.OK : ExitCode.FAILURE;
        } finally {
            Runtime.getRuntime().halt(code);
        }
    }
}

package io.iocluster.node.cli;

import io.iocluster.node.cli.option.ConfigOption;
import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.door.DoorProcess;
import io.iocluster.node.logging.NodeLogging;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs a door until SIGTERM or SIGINT. */
@Command(
        name = "door",
        description = "Runs a door, an HTTP server for callers without a queue client, until SIGTERM or SIGINT.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {
            "0:All open calls ended within shutdown.drain-timeout after SIGTERM or SIGINT.",
            "1:Some calls did not end in time, or the door did not start.",
            "2:The command line or the configuration is invalid."
        })
final class DoorCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "Configuration file, in YAML. Its section door has the settings of the door.")
    private Path file;

    @Option(
            names = "--local",
            description = "Makes the calls in this process, without a broker. Needs no configuration file.")
    private boolean local;

    @Option(names = "--port", paramLabel = "PORT", description = "Port to listen on; default: door.port.")
    private Integer port;

    DoorCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        NodeSettings settings = settings();
        DoorProcess door = DoorProcess.start(settings);
        Duration drain = settings.shutdown().drainTimeout();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> drain(door, drain), "iocluster-shutdown"));
        new CountDownLatch(1).await();
        return ExitCode.OK;
    }

    private NodeSettings settings() throws IOException, InterruptedException {
        if (file == null && !local) {
            throw new ParameterException(spec.commandLine(), "--config or --local is missing");
        }
        NodeSettings settings = file == null
                ? defaults()
                : ConfigOption.of(file).load(terminal.environment()).settings();
        if (local) {
            settings = settings.withDoor(settings.door().local());
        }
        return port == null ? settings : settings.withDoor(settings.door().withPort(port));
    }

    private NodeSettings defaults() {
        NodeSettings settings = new SettingsLoader<>(NodeSettings.class, terminal.environment())
                .load("{}", Path.of("").toAbsolutePath())
                .settings();
        NodeLogging.configure(settings.logging(), settings.node().id());
        return settings;
    }

    /** Halts the JVM, which would otherwise exit with the code of the signal instead of the result of the drain. */
    private static void drain(DoorProcess door, Duration within) {
        int code = ExitCode.FAILURE;
        try (door) {
            code = door.drain(within) ? ExitCode.OK : ExitCode.FAILURE;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            Runtime.getRuntime().halt(code);
        }
    }
}

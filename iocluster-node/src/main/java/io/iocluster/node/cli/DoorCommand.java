package io.iocluster.node.cli;

import io.iocluster.node.cli.terminal.ConfigOption;
import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.door.DoorProcess;
import io.iocluster.node.logging.NodeLogging;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
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
        description = "Runs a door, a server for callers without a queue client, until SIGTERM or SIGINT.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {
            "0:All open calls ended within shutdown.drain-timeout after SIGTERM or SIGINT.",
            "1:Some calls did not end in time, or the door did not start.",
            "2:The command line or the configuration is invalid."
        })
final class DoorCommand implements Callable<Integer> {

    private static final int MAX_PORT = 65_535;

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

    @Option(
            names = "--grpc-port",
            paramLabel = "PORT",
            description = "Takes calls over gRPC too, on this port; default: door.grpc.")
    private Integer grpcPort;

    DoorCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (file == null && !local) {
            throw new ParameterException(spec.commandLine(), "--config or --local is missing");
        }
        checkPort("--port", port);
        checkPort("--grpc-port", grpcPort);
        DoorProcess door = file == null ? DoorProcess.start(defaults()) : startWithFile();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> drain(door), "iocluster-shutdown"));
        new CountDownLatch(1).await();
        return ExitCode.OK;
    }

    private void checkPort(String option, Integer given) {
        if (given != null && (given < 0 || given > MAX_PORT)) {
            throw new ParameterException(spec.commandLine(), option + " must be from 0 to " + MAX_PORT + ": " + given);
        }
    }

    private DoorProcess startWithFile() throws IOException, InterruptedException {
        ConfigOption config = ConfigOption.of(file);
        DoorProcess door = DoorProcess.start(config.load(environment()));
        door.watchConfiguration(config.file(), config.loader());
        return door;
    }

    /** Returns the environment with the options, which override the file as variables do, also when the file changes. */
    private Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>(terminal.environment());
        if (local) {
            environment.put("IOCLUSTER_DOOR_TRANSPORT", "local");
        }
        if (port != null) {
            environment.put("IOCLUSTER_DOOR_PORT", port.toString());
        }
        if (grpcPort != null) {
            environment.put("IOCLUSTER_DOOR_GRPC_ENABLED", "true");
            environment.put("IOCLUSTER_DOOR_GRPC_PORT", grpcPort.toString());
        }
        return environment;
    }

    private LoadedSettings<NodeSettings> defaults() {
        LoadedSettings<NodeSettings> loaded = new SettingsLoader<>(NodeSettings.class, environment())
                .load("{}", Path.of("").toAbsolutePath());
        NodeLogging.configure(
                loaded.settings().logging(), loaded.settings().node().id());
        return loaded;
    }

    /** Halts the JVM, which would otherwise exit with the code of the signal instead of the result of the drain. */
    private static void drain(DoorProcess door) {
        int code = ExitCode.FAILURE;
        try (door) {
            code = door.drain() ? ExitCode.OK : ExitCode.FAILURE;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            Runtime.getRuntime().halt(code);
        }
    }
}

package io.iocluster.lab.load.local;

import io.iocluster.node.cli.terminal.DurationArgument;
import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.testkit.target.TargetServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs a test target. */
@Command(
        name = "target",
        description =
                "Runs an HTTP server for load tests on this machine, which misbehaves if a fault of an experiment says"
                        + " so. /ok answers at once, /delay?ms=100 after 100 ms. It runs until you press Ctrl-C.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {"0:The target ran until --for.", "1:The port is in use.", "2:The command line is wrong."})
public final class TargetCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--host",
            defaultValue = "127.0.0.1",
            paramLabel = "ADDRESS",
            description = "Loopback address. Each address is a separate destination (default: ${DEFAULT-VALUE}).")
    private String host;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "9000",
            description = "Port (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "1",
            description = "Number of event loops (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(
            names = "--for",
            paramLabel = "DURATION",
            converter = DurationArgument.class,
            description = "Ends after this time, such as 10m.")
    private Duration duration;

    public TargetCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (port < 1 || port > 65_535 || threads < 1 || threads > 64) {
            throw new ParameterException(
                    spec.commandLine(), "--port must be from 1 to 65535, and --threads from 1 to 64");
        }
        if (!isLoopback()) {
            throw new ParameterException(spec.commandLine(), "--host must be an address of this machine only: " + host);
        }
        try (TargetServer target = start(host, port, threads)) {
            terminal.out().println(target.url("/ok"));
            terminal.out().flush();
            CountDownLatch never = new CountDownLatch(1);
            if (duration == null) {
                never.await();
            } else {
                never.await(duration.toMillis(), TimeUnit.MILLISECONDS);
            }
        }
        return ExitCode.OK;
    }

    private boolean isLoopback() {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException unknown) {
            return false;
        }
    }

    /**
     * Starts a test target.
     *
     * @throws IOException if the address cannot be used; the message is for the user
     */
    static TargetServer start(String host, int port, int threads) throws IOException {
        try {
            return TargetServer.start(host, port, threads, false);
        } catch (Exception refused) {
            // Netty throws the checked exception of the bind without declaring it.
            if (refused instanceof IOException) {
                throw new IOException(host + ":" + port + " cannot be used: " + refused.getMessage(), refused);
            }
            throw refused;
        }
    }
}

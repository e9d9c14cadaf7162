package io.iocluster.node.cli.top;

import io.iocluster.node.cli.admin.AdminClient;
import io.iocluster.node.cli.admin.AdminOptions;
import io.iocluster.node.cli.terminal.DurationArgument;
import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.settings.DurationText;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows rates of nodes, destinations, apps and codes, live on a terminal. */
@Command(
        name = "top",
        description =
                "Shows running nodes, their destinations and what these answer, and the apps that send calls, with rates."
                        + " On a terminal it refreshes until you press q; otherwise it prints one interval and ends.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {
            "0:Every node answered.",
            "1:A node cannot be reached, or refused the request.",
            "2:The command line is wrong."
        })
public final class TopCommand implements Callable<Integer> {

    private static final Duration MIN_INTERVAL = Duration.ofMillis(100);
    private static final Duration KEY_POLL = Duration.ofMillis(50);

    private final Terminal terminal;
    private final Platform platform = Platform.system();

    @Spec
    private CommandSpec spec;

    @Mixin
    private AdminOptions admin;

    @Option(
            names = "--interval",
            defaultValue = "1s",
            converter = DurationArgument.class,
            paramLabel = "DURATION",
            description = "Time between two readings (default: ${DEFAULT-VALUE}).")
    private Duration interval;

    @Option(names = "--once", description = "Prints one interval and ends, even on a terminal.")
    private boolean once;

    public TopCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (interval.compareTo(MIN_INTERVAL) < 0) {
            throw new ParameterException(
                    spec.commandLine(), "--interval must be at least " + DurationText.format(MIN_INTERVAL));
        }
        List<AdminClient> nodes = admin.clients(terminal.environment());
        Sample first = Sample.of(nodes, platform);
        if (first.nodes().values().stream().noneMatch(Sample.NodeSample::isReachable)) {
            first.nodes().values().forEach(node -> terminal.err().println("iocluster: " + node.problem()));
            return ExitCode.FAILURE;
        }
        return terminal.screen() && !once ? refresh(nodes, first) : printOnce(nodes, first);
    }

    private int printOnce(List<AdminClient> nodes, Sample first) throws InterruptedException {
        platform.sleep(interval);
        Sample second = Sample.of(nodes, platform);
        new TopView(first, second).lines(SortKey.ATTEMPTS).forEach(terminal.out()::println);
        return second.isAllReachable() ? ExitCode.OK : ExitCode.FAILURE;
    }

    private int refresh(List<AdminClient> nodes, Sample first) throws IOException, InterruptedException {
        SortKey sort = SortKey.ATTEMPTS;
        try (RawKeyboard keyboard = RawKeyboard.open();
                TopScreen screen = new TopScreen(terminal)) {
            // SIGINT must also leave the terminal as it was.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                screen.close();
                keyboard.close();
            }));
            Sample earlier = first;
            Sample later = first;
            while (true) {
                int[] size = RawKeyboard.size();
                screen.draw(
                        new TopView(earlier, later).lines(sort, size[0] - 1, size[1]),
                        SortKey.help(sort),
                        size[0],
                        size[1]);
                int key = awaitKey(platform.nanos() + interval.toNanos());
                Optional<SortKey> chosen = SortKey.of(key);
                if (key == 'q') {
                    return ExitCode.OK;
                } else if (chosen.isPresent()) {
                    sort = chosen.get();
                } else {
                    earlier = later;
                    later = Sample.of(nodes, platform);
                }
            }
        }
    }

    /** Returns the key that was pressed; 0 if there was none within the time. */
    private int awaitKey(long deadline) throws IOException, InterruptedException {
        while (platform.nanos() < deadline) {
            if (terminal.in().available() > 0) {
                return terminal.in().read();
            }
            platform.sleep(KEY_POLL);
        }
        return 0;
    }
}

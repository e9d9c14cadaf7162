package io.iocluster.node.cli.tap;

import io.iocluster.node.cli.admin.AdminClient;
import io.iocluster.node.cli.admin.AdminOptions;
import io.iocluster.node.cli.tap.NodeTap.TapLine;
import io.iocluster.node.cli.terminal.DurationArgument;
import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.settings.DurationText;
import io.iocluster.thread.DaemonThreadFactory;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows a live sample of the calls of running nodes. */
@Command(
        name = "tap",
        description = "Shows calls of running nodes as they end, until you press Ctrl-C: a sample, limited by --rate,"
                + " without headers, bodies and query values. Prints at the end how many were left out.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {
            "0:The tap ended after --count calls or --duration, or the output was closed.",
            "1:A node cannot be reached, refused the request, or ended the tap.",
            "2:The command line is wrong.",
            "130:Ctrl-C."
        })
public final class TapCommand implements Callable<Integer> {

    private static final int MAX_LINES = 1_000;
    /** A node sends a line each second. */
    private static final long SILENCE_SECONDS = 15;

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    @Mixin
    private AdminOptions admin;

    @Option(
            names = "--destination",
            paramLabel = "NAME[,NAME...]",
            description = "Only calls to these destinations. A name that ends with * matches all that begin with it.")
    private String destination = "";

    @Option(
            names = "--outcome",
            paramLabel = "OUTCOME[,OUTCOME...]",
            description = "Only calls that ended so: answered, failed, rejected or expired.")
    private String outcome = "";

    @Option(
            names = "--code",
            paramLabel = "CODE[,CODE...]",
            description = "Only calls with one of these statuses, such as 503 or 5xx, or error codes, such as timeout.")
    private String code = "";

    @Option(
            names = "--id",
            paramLabel = "ID[,ID...]",
            description = "Only calls of these envelopes. An id that ends with * matches all that begin with it.")
    private String id = "";

    @Option(
            names = "--rate",
            defaultValue = "10/s",
            paramLabel = "RATE",
            description = "Maximum rate of calls from each node (default: ${DEFAULT-VALUE}).")
    private String rate;

    @Option(names = "--count", paramLabel = "N", description = "Ends after N calls.")
    private Long count;

    @Option(
            names = "--duration",
            converter = DurationArgument.class,
            paramLabel = "DURATION",
            description = "Ends after this time, such as 30s (default: admin.tap.max-duration of the node).")
    private Duration duration;

    @Option(names = "--json", description = "Prints each call as one line of JSON, for scripts.")
    private boolean json;

    public TapCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (count != null && count < 1) {
            throw new ParameterException(spec.commandLine(), "--count must be at least 1");
        }
        BlockingQueue<TapLine> lines = new LinkedBlockingQueue<>(MAX_LINES);
        List<NodeTap> taps = new ArrayList<>();
        try {
            for (AdminClient node : admin.clients(terminal.environment())) {
                taps.add(NodeTap.open(node, path(), lines));
            }
            TapPrinter printer = new TapPrinter(terminal, json);
            // SIGINT ends the process.
            Runtime.getRuntime().addShutdownHook(DaemonThreadFactory.newThread("iocluster-tap-end", printer::close));
            try {
                return print(lines, taps.size(), printer);
            } finally {
                printer.close();
            }
        } finally {
            taps.forEach(NodeTap::close);
        }
    }

    private int print(BlockingQueue<TapLine> lines, int nodes, TapPrinter printer)
            throws IOException, InterruptedException {
        int open = nodes;
        boolean failed = false;
        while (open > 0 && (count == null || printer.shown() < count)) {
            TapLine line = lines.poll(SILENCE_SECONDS, TimeUnit.SECONDS);
            if (line == null) {
                throw new IOException("no node has answered for " + SILENCE_SECONDS + " seconds");
            }
            if (line.json() != null) {
                printer.print(line);
                if (terminal.out().checkError()) {
                    return ExitCode.OK; // The reader of a pipe has ended.
                }
            } else {
                open--;
                failed |= line.problem() != null;
                if (line.problem() != null) {
                    terminal.err().println("iocluster: " + line.problem());
                }
            }
        }
        return failed ? ExitCode.FAILURE : ExitCode.OK;
    }

    private String path() {
        StringBuilder path = new StringBuilder("/api/tap?rate=").append(encode(rate));
        append(path, "destination", destination);
        append(path, "outcome", outcome);
        append(path, "code", code);
        append(path, "id", id);
        append(path, "duration", duration == null ? "" : DurationText.format(duration));
        return path.toString();
    }

    private static void append(StringBuilder path, String name, String value) {
        if (!value.isEmpty()) {
            path.append('&').append(name).append('=').append(encode(value));
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}

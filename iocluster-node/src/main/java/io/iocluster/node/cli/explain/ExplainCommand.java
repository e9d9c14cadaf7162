package io.iocluster.node.cli.explain;

import io.iocluster.node.cli.terminal.ConfigOption;
import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.InputFile;
import io.iocluster.node.cli.terminal.PrintableText;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.node.config.NodeSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;

/** Says what a node would do with an envelope. */
@Command(
        name = "explain",
        description = "Says what a node would do with an envelope: destination, egress rules, credential, limits, and"
                + " whether it would refuse the call and why. Makes no call and needs no broker.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {
            "0:The call, or each call of the envelope, would be made.",
            "1:A call would be refused, or the file cannot be read.",
            "2:The command line or the configuration is invalid."
        })
public final class ExplainCommand implements Callable<Integer> {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Terminal terminal;

    @Mixin
    private ConfigOption config;

    @Parameters(
            arity = "0..1",
            paramLabel = "ENVELOPE",
            description = "File with one envelope; standard input if it is omitted or -.")
    private Path file;

    @Option(names = "--resolve", description = "Resolves the hosts on this machine and checks their addresses.")
    private boolean resolve;

    @Option(names = "--json", description = "Prints one line of JSON for each call, for scripts.")
    private boolean json;

    public ExplainCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        NodeSettings settings = config.load(terminal.environment()).settings();
        List<Explanation> calls = new CallExplainer(settings, resolve).explain(read(settings));
        for (int i = 0; i < calls.size(); i++) {
            print(calls.get(i), i, calls.size());
        }
        return calls.stream().anyMatch(Explanation::isRefused) ? ExitCode.FAILURE : ExitCode.OK;
    }

    /** Reads one byte more than a node accepts, so that the decoder refuses a larger envelope. */
    private byte[] read(NodeSettings settings) throws IOException {
        try (InputStream in = InputFile.open(file, terminal)) {
            int limit = settings.http().maxEnvelopeBytes();
            return in.readNBytes(limit == Integer.MAX_VALUE ? limit : limit + 1);
        }
    }

    private void print(Explanation call, int index, int calls) {
        if (json) {
            terminal.out().println(JSON.writeValueAsString(call.facts()));
            return;
        }
        if (calls > 1) {
            terminal.out().println((index == 0 ? "" : "\n") + "call " + (index + 1) + " of " + calls);
        }
        call.facts()
                .forEach((name, fact) -> terminal.out().printf("%-12s %s%n", name + ":", PrintableText.escape(fact)));
    }
}

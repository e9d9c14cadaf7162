package io.iocluster.lab.load.command;

import io.iocluster.lab.load.compare.ComparisonReport;
import io.iocluster.lab.load.compare.RunComparison;
import io.iocluster.lab.load.result.ResultJson;
import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares two results. */
@Command(
        name = "compare",
        description = "Compares two results of the same experiment: each figure of each phase, with the noise that a"
                + " difference must exceed to count.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {
            "0:No figure of a measured phase is worse in B by more than its noise.",
            "1:A figure is worse, no phase is in both, a run is incomplete, or a file cannot be used.",
            "2:The command line is wrong."
        })
final class CompareCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Parameters(index = "0", paramLabel = "A", description = "result.json of the run to compare with.")
    private Path a;

    @Parameters(index = "1", paramLabel = "B", description = "result.json of the run to judge.")
    private Path b;

    @Option(names = "--html", paramLabel = "FILE", description = "Also writes the comparison with charts to this file.")
    private Path html;

    CompareCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        RunComparison comparison = new RunComparison(ResultJson.read(a), ResultJson.read(b));
        ComparisonReport.lines(comparison).forEach(terminal.out()::println);
        if (html != null) {
            Files.writeString(html, ComparisonReport.html(comparison));
            terminal.err().println("wrote " + html);
        }
        return comparison.isGood() ? ExitCode.OK : ExitCode.FAILURE;
    }
}

package io.iocluster.lab.load.command;

import io.iocluster.lab.load.report.RunReport;
import io.iocluster.lab.load.report.RunSummary;
import io.iocluster.lab.load.result.ResultJson;
import io.iocluster.lab.load.result.RunResult;
import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows a result again. */
@Command(
        name = "report",
        description = "Prints the summary of an earlier run, and writes its report as HTML again.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {
            "0:The result was read and the report was written.",
            "1:A file cannot be read or written.",
            "2:The command line is wrong."
        })
final class ReportCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Parameters(index = "0", paramLabel = "RESULT", description = "result.json of the run.")
    private Path result;

    @Option(names = "--html", paramLabel = "FILE", description = "Also writes the report to this file.")
    private Path html;

    ReportCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException {
        RunResult run = ResultJson.read(result);
        RunSummary.lines(run).forEach(terminal.out()::println);
        if (html != null) {
            Files.writeString(html, RunReport.html(run));
            terminal.err().println("wrote " + html);
        }
        return ExitCode.OK;
    }
}

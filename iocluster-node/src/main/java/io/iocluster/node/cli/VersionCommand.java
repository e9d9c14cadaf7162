package io.iocluster.node.cli;

import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.node.config.BuildInfo;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Prints the version. */
@Command(name = "version", description = "Prints the version.", mixinStandardHelpOptions = true)
final class VersionCommand implements Callable<Integer> {

    /** The line that {@code --version} of each command prints as well. */
    static final String LINE = "iocluster " + BuildInfo.VERSION;

    private final Terminal terminal;

    VersionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        terminal.out().println(LINE);
        return ExitCode.OK;
    }
}

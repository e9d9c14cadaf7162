package io.iocluster.node.cli.setup;

import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints a completion script. */
@Command(
        name = "completion",
        description = "Prints a script that completes commands and options in bash and zsh. Add this line to ~/.bashrc"
                + " or ~/.zshrc: source <(iocluster completion)",
        mixinStandardHelpOptions = true)
public final class CompletionCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    public CompletionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        terminal.out().print(AutoComplete.bash("iocluster", spec.root().commandLine()));
        return ExitCode.OK;
    }
}

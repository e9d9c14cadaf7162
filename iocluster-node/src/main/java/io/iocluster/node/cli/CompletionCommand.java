package io.iocluster.node.cli;

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

    /** Would change how zsh completes every other alias of the user. Without it, {@code compopt} is not found and not used. */
    private static final String ALIASES = """
              # Make alias a distinct command for completion purposes when using zsh (see [4])
              setopt COMPLETE_ALIASES
              alias compopt=complete

            """;

    private static final String FILES = "COMPREPLY=( $( compgen -f ";
    /** Without a result, zsh completes files by itself. Otherwise it would end the name of a folder with a space. */
    private static final String FILES_IN_ZSH = "[ -n \"$ZSH_VERSION\" ] && return\n      " + FILES;

    private final Terminal terminal;

    @Spec
    private CommandSpec spec;

    public CompletionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        String script = AutoComplete.bash("iocluster", spec.root().commandLine());
        terminal.out().print(script.replace(ALIASES, "").replace(FILES, FILES_IN_ZSH));
        return ExitCode.OK;
    }
}

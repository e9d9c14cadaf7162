package io.iocluster.node.cli;

import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Prints the version. */
@Command(name = "version", description = "Prints the version.", mixinStandardHelpOptions = true)
final class VersionCommand implements Callable<Integer> {

    private final Terminal terminal;

    VersionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        String version = VersionCommand.class.getPackage().getImplementationVersion();
        terminal.out().println("iocluster " + Objects.requireNonNullElse(version, "unpackaged"));
        return Commands.EXIT_OK;
    }
}

package io.iocluster.node.cli;

import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.cli.admin.AppsCommand;
import io.iocluster.node.cli.admin.DestinationActionsCommand;
import io.iocluster.node.cli.admin.DestinationsCommand;
import io.iocluster.node.cli.admin.DrainCommand;
import io.iocluster.node.cli.admin.FailuresCommand;
import io.iocluster.node.cli.admin.LogLevelCommand;
import io.iocluster.node.cli.admin.PauseCommand;
import io.iocluster.node.cli.admin.ResizeCommand;
import io.iocluster.node.cli.admin.ResumeCommand;
import io.iocluster.node.cli.admin.StatusCommand;
import io.iocluster.node.cli.deadletter.DlqCommand;
import io.iocluster.node.cli.explain.ExplainCommand;
import io.iocluster.node.cli.tap.TapCommand;
import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.node.cli.top.TopCommand;
import io.iocluster.node.config.LoggingSettings;
import io.iocluster.node.config.LoggingSettings.Format;
import io.iocluster.node.config.LoggingSettings.Level;
import io.iocluster.node.logging.NodeLogging;
import io.iocluster.settings.InvalidSettingsException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line: all commands, and their exit codes. */
@Command(
        name = "iocluster",
        description = "Makes the HTTP calls that services put on a queue.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
public final class Commands implements Runnable {

    @Spec
    private CommandSpec spec;

    private Commands() {}

    /** Runs the command that the arguments name and returns its exit code. */
    public static int run(Terminal terminal, BrokerAccess broker, String... arguments) {
        NodeLogging.configure(new LoggingSettings(Level.WARN, Format.TEXT), null);
        CommandLine line = new CommandLine(new Commands());
        ServiceLoader.load(SubcommandProvider.class)
                .forEach(provider -> line.addSubcommand(provider.command(terminal, broker)));
        line.addSubcommand(new RunCommand(terminal, broker))
                .addSubcommand(new DoorCommand(terminal))
                .addSubcommand(new CheckCommand(terminal, broker))
                .addSubcommand(new SendCommand(terminal, broker))
                .addSubcommand(new AnswersCommand(terminal, broker))
                .addSubcommand(new ExplainCommand(terminal))
                .addSubcommand(new StatusCommand(terminal))
                .addSubcommand(new DestinationsCommand(terminal))
                .addSubcommand(new AppsCommand(terminal))
                .addSubcommand(DestinationActionsCommand.create(terminal))
                .addSubcommand(new FailuresCommand(terminal))
                .addSubcommand(new TopCommand(terminal))
                .addSubcommand(new TapCommand(terminal))
                .addSubcommand(DlqCommand.create(terminal, broker))
                .addSubcommand(new ResizeCommand(terminal))
                .addSubcommand(new PauseCommand(terminal))
                .addSubcommand(new ResumeCommand(terminal))
                .addSubcommand(new DrainCommand(terminal))
                .addSubcommand(new LogLevelCommand(terminal))
                .addSubcommand(new InitCommand(terminal))
                .addSubcommand(new SchemaCommand(terminal))
                .addSubcommand(new CompletionCommand(terminal))
                .addSubcommand(new VersionCommand(terminal))
                .setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((misuse, ignored) -> misused(terminal, misuse))
                .setExecutionExceptionHandler((failure, ignored, parsed) -> failed(terminal, failure));
        setVersion(line);
        int code = line.execute(arguments);
        terminal.out().flush();
        return code;
    }

    private static void setVersion(CommandLine line) {
        line.getCommandSpec().version(VersionCommand.LINE);
        line.getSubcommands().values().forEach(Commands::setVersion);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    private static int misused(Terminal terminal, ParameterException misuse) {
        terminal.err().println("iocluster: " + Misuse.message(misuse));
        terminal.err()
                .println("try: " + misuse.getCommandLine().getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE;
    }

    private static int failed(Terminal terminal, Exception failure) {
        if (failure instanceof InvalidSettingsException invalid) {
            invalid.invalidSettings().forEach(terminal.err()::println);
            return ExitCode.USAGE;
        }
        if (failure instanceof ParameterException misuse) {
            return misused(terminal, misuse);
        }
        if (failure instanceof IOException) {
            terminal.err().println("iocluster: " + failure.getMessage());
        } else {
            terminal.err().print("iocluster: internal error: ");
            failure.printStackTrace(terminal.err());
        }
        return ExitCode.FAILURE;
    }
}

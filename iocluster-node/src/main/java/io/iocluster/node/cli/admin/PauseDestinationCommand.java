package io.iocluster.node.cli.admin;

import io.iocluster.node.cli.option.DurationArgument;
import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.settings.DurationText;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** Pauses a destination for a time. */
@Command(
        name = "pause",
        description =
                "Starts no call to a destination for a time. Its calls wait; other destinations are not affected.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {DestinationCommand.EXIT_DONE, DestinationCommand.EXIT_REFUSED, NodeCommand.EXIT_USAGE})
public final class PauseDestinationCommand extends DestinationCommand {

    @Option(names = "--for", paramLabel = "DURATION", converter = DurationArgument.class, description = FOR_DESCRIPTION)
    private Duration duration;

    public PauseDestinationCommand(Terminal terminal) {
        super(terminal, "pause");
    }

    @Override
    void addTo(ObjectNode body) {
        if (duration != null) {
            body.put("for", DurationText.format(duration));
        }
    }
}

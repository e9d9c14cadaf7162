package io.iocluster.node.cli.admin;

import io.iocluster.node.cli.terminal.ActionDuration;
import io.iocluster.node.cli.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.node.ObjectNode;

/** Pauses a destination for a time. */
@Command(
        name = "pause",
        description =
                "Starts no call to a destination for a time. Its calls wait; other destinations are not affected.")
public final class PauseDestinationCommand extends DestinationCommand {

    @Mixin
    private ActionDuration duration;

    public PauseDestinationCommand(Terminal terminal) {
        super(terminal, "pause");
    }

    @Override
    void addTo(ObjectNode body) {
        duration.addTo(body);
    }
}

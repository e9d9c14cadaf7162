package io.iocluster.node.cli.admin;

import io.iocluster.node.cli.terminal.ActionDuration;
import io.iocluster.node.cli.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/** Replaces limits of a destination for a time. */
@Command(
        name = "limit",
        description = "Replaces the limit of calls in flight, or the rate, of a destination for a time.")
public final class LimitDestinationCommand extends DestinationCommand {

    @Spec
    private CommandSpec spec;

    @Option(names = "--max-in-flight", paramLabel = "N", description = "Maximum number of calls in flight, 1 or more.")
    private Integer maxInFlight;

    @Option(names = "--rate", paramLabel = "RATE", description = "Maximum rate of attempts: 200/s, 30/m, unlimited.")
    private String rate;

    @Mixin
    private ActionDuration duration;

    public LimitDestinationCommand(Terminal terminal) {
        super(terminal, "limit");
    }

    @Override
    void checkArguments() {
        if (maxInFlight == null && rate == null) {
            throw new ParameterException(spec.commandLine(), "--max-in-flight or --rate is missing");
        }
    }

    @Override
    void addTo(ObjectNode body) {
        if (maxInFlight != null) {
            body.put("max-in-flight", maxInFlight);
        }
        if (rate != null) {
            body.put("rate", rate);
        }
        duration.addTo(body);
    }
}

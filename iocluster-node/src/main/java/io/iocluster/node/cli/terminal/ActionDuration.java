package io.iocluster.node.cli.terminal;

import io.iocluster.settings.DurationText;
import java.time.Duration;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** The option that says how long an action on a node holds. Confined to one command. */
public final class ActionDuration {

    @Option(
            names = "--for",
            paramLabel = "DURATION",
            converter = DurationArgument.class,
            description = "How long it holds, such as 90s, 10m or 2h (default: admin.actions.duration of the node).")
    private Duration duration;

    /** Adds the duration if the command line has one. */
    public void addTo(ObjectNode body) {
        if (duration != null) {
            body.put("for", DurationText.format(duration));
        }
    }
}

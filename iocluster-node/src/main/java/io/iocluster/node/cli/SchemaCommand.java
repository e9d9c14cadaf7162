package io.iocluster.node.cli;

import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsSchema;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Prints the JSON Schema of the configuration. */
@Command(
        name = "schema",
        description =
                "Prints the JSON Schema of the configuration of a node and a door, for editors. `init` writes it beside the"
                        + " configuration; write it again after an update: iocluster schema > " + SchemaCommand.FILE,
        mixinStandardHelpOptions = true)
public final class SchemaCommand implements Callable<Integer> {

    /** Name of the file beside a configuration. */
    static final String FILE = "node.schema.json";

    private final Terminal terminal;

    SchemaCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Returns the schema, with a line break at the end. */
    public static String schema() {
        return SettingsSchema.of(
                NodeSettings.class, "urn:iocluster:schema:node", "Configuration of an IOCluster node or door");
    }

    @Override
    public Integer call() {
        terminal.out().print(schema());
        return ExitCode.OK;
    }
}

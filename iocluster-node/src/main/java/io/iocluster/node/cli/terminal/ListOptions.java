package io.iocluster.node.cli.terminal;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** The options of commands that list many entries. */
public final class ListOptions {

    @Option(
            names = "--find",
            paramLabel = "WORDS",
            defaultValue = "",
            description = "Prints only entries that contain each of these words.")
    private String find;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "200",
            converter = CountArgument.class,
            description = "Maximum number of entries of a node, up to 1000 (default: ${DEFAULT-VALUE}).")
    private int limit;

    /** Returns the query of the path, with its question mark. */
    public String query() {
        return "?limit=" + limit + (find.isEmpty() ? "" : "&find=" + URLEncoder.encode(find, StandardCharsets.UTF_8));
    }

    /**
     * Returns a line that says how many entries the response of a node leaves out; empty if none.
     *
     * @param address the address of the node
     */
    public static Optional<String> more(String address, JsonNode response) {
        int more = response.path("more").asInt(0);
        return more == 0 ? Optional.empty() : Optional.of(address + ": " + more + " more; see --find and --limit");
    }
}

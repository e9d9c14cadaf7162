package io.iocluster.lab.load.fault;

import io.iocluster.node.cli.admin.AdminClient;
import java.io.IOException;
import java.time.Duration;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Pauses or limits one destination of a node. The node ends it by itself shortly after the planned time, even if this process
 * has died by then.
 */
final class DestinationFault implements FaultAction {

    private static final Duration MARGIN = Duration.ofMinutes(1);

    private final AdminClient node;
    private final String description;
    private final String path;
    private final String undoPath;
    private final String destination;
    private final ObjectNode body;

    private DestinationFault(
            AdminClient node, String description, String path, String undoPath, String destination, Duration longest) {
        this.node = node;
        this.description = description;
        this.path = path;
        this.undoPath = undoPath;
        this.destination = destination;
        this.body = JsonNodeFactory.instance
                .objectNode()
                .put("destination", destination)
                .put("for", longest.plus(MARGIN).toSeconds() + "s");
    }

    /** @param longest how long the pause lasts at most */
    static DestinationFault pause(AdminClient node, String destination, Duration longest) {
        return new DestinationFault(
                node,
                "pause-destination " + destination + " on " + node.address(),
                "/api/destinations/pause",
                "/api/destinations/resume",
                destination,
                longest);
    }

    /**
     * @param maxInFlight 0 for the configured limit
     * @param rate such as {@code 10/s}; empty for the configured limit
     * @param longest how long the limit lasts at most
     */
    static DestinationFault limit(
            AdminClient node, String destination, int maxInFlight, String rate, Duration longest) {
        DestinationFault limit = new DestinationFault(
                node,
                "limit-destination " + destination + " on " + node.address()
                        + (maxInFlight == 0 ? "" : " max-in-flight " + maxInFlight)
                        + (rate.isEmpty() ? "" : " rate " + rate),
                "/api/destinations/limit",
                "/api/destinations/unlimit",
                destination,
                longest);
        if (maxInFlight > 0) {
            limit.body.put("max-in-flight", maxInFlight);
        }
        if (!rate.isEmpty()) {
            limit.body.put("rate", rate);
        }
        return limit;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public void apply() throws IOException, InterruptedException {
        node.post(path, body);
    }

    @Override
    public void undo() throws IOException, InterruptedException {
        node.post(undoPath, JsonNodeFactory.instance.objectNode().put("destination", destination));
    }
}

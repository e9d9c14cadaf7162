package io.iocluster.node.chaos.node;

import io.iocluster.testkit.process.FixedWait;
import java.nio.file.Path;

/** A node that joins the nodes of a chaos run for a while. Only one can run at a time. */
public final class TemporaryNode {

    private final String id;
    private final String configuration;
    private final Path folder;

    public TemporaryNode(String id, String configuration, Path folder) {
        this.id = id;
        this.configuration = configuration;
        this.folder = folder;
    }

    /** Starts the node, and ends it with SIGTERM when it has been ready for this time. */
    public synchronized void runFor(int millis) {
        try (ChaosNode node = new ChaosNode(id, configuration, folder)) {
            node.awaitReady();
            FixedWait.millis(millis);
            node.leave();
        }
    }
}

package io.iocluster.node.chaos;

import java.nio.file.Path;

/** Starts and ends a third node. Only one can run at a time. */
final class TemporaryNode {

    private final String id;
    private final String configuration;
    private final Path folder;

    TemporaryNode(String id, String configuration, Path folder) {
        this.id = id;
        this.configuration = configuration;
        this.folder = folder;
    }

    /** Starts the node, and ends it with SIGTERM when it has been ready for this time. */
    synchronized void visit(int millis) {
        try (ChaosNode node = new ChaosNode(id, configuration, folder)) {
            node.awaitReady();
            PlanTimer.millis(millis);
            node.leave();
        }
    }
}

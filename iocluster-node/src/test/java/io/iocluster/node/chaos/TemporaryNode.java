package io.iocluster.node.chaos;

import java.nio.file.Path;

/** Starts a third node beside the two, and ends it. Visits wait for each other. */
final class TemporaryNode {

    private final String id;
    private final String configuration;
    private final Path folder;

    TemporaryNode(String id, String configuration, Path folder) {
        this.id = id;
        this.configuration = configuration;
        this.folder = folder;
    }

    /** Starts it, and ends it with SIGTERM when it has been ready for this long. */
    synchronized void visit(int millis) {
        try (ChaosNode node = new ChaosNode(id, configuration, folder)) {
            node.awaitReady();
            PlanTimer.millis(millis);
            node.leave();
        }
    }
}

package io.iocluster.lab.load.fault;

import io.iocluster.node.cli.admin.AdminClient;
import java.io.IOException;

/** Pauses reading of a node, and resumes it unless it was paused before. */
final class NodePause implements FaultAction {

    private final AdminClient node;
    private boolean pausedBefore;

    NodePause(AdminClient node) {
        this.node = node;
    }

    @Override
    public String description() {
        return "pause-node " + node.address();
    }

    @Override
    public void prepare() throws IOException, InterruptedException {
        pausedBefore = node.get("/api/status").path("state").asString("").equals("paused");
    }

    @Override
    public void apply() throws IOException, InterruptedException {
        node.post("/api/pause");
    }

    @Override
    public void undo() throws IOException, InterruptedException {
        if (!pausedBefore) {
            node.post("/api/resume");
        }
    }
}

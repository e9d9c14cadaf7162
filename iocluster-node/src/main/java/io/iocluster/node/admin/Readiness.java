package io.iocluster.node.admin;

import io.iocluster.pipeline.PipelineState;
import io.iocluster.pipeline.PipelineStatus;

/** Whether a node can do its work. */
public final class Readiness {

    private Readiness() {}

    /** Why it cannot, in words for people; null if it can. */
    public static String problem(PipelineStatus status) {
        if (status.state() != PipelineState.RUNNING) {
            return "the node is " + status.state().wireName();
        }
        if (!status.source().connected()) {
            String problem = status.source().problem();
            return status.transport() + " is not connected" + (problem == null ? "" : ": " + problem);
        }
        if (status.stuck()) {
            return "the node is full, and no call has ended and no answer was confirmed for workers.progress-timeout";
        }
        return null;
    }
}

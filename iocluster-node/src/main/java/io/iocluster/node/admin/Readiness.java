package io.iocluster.node.admin;

import io.iocluster.pipeline.PipelineState;
import io.iocluster.pipeline.PipelineStatus;

/** Decides whether a node is ready. */
public final class Readiness {

    private Readiness() {}

    /**
     * Returns the reason, for operators, why the node is not ready; null if it is.
     *
     * @param broker the broker's addresses
     * @param warmingUp whether the warm-up runs, before the pipeline starts
     */
    public static String problem(PipelineStatus status, String broker, boolean warmingUp) {
        if (warmingUp && status.state() == PipelineState.NEW) {
            return "the node is warming up; see node.warm-up";
        }
        if (status.state() != PipelineState.RUNNING) {
            return "the node is " + status.state().wireName();
        }
        if (!status.source().connected()) {
            String problem = status.source().problem();
            return status.transport() + " at " + broker + " is not connected" + (problem == null ? "" : ": " + problem);
        }
        if (status.stuck()) {
            return "the node is full; no call ended and no answer was confirmed within workers.progress-timeout";
        }
        return null;
    }
}

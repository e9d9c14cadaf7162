package io.iocluster.node.tuning;

import io.iocluster.destination.DestinationStatus;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.pipeline.PipelineStatus;
import java.util.List;

/** The node as its advisor sees it. Thread-safe. Only {@link #resize} may block, for a short time. */
public interface TunedNode {

    /** Returns the current settings. */
    NodeSettings settings();

    /** Returns the current status. */
    PipelineStatus status();

    /** Returns the configured destinations and those that were called recently. */
    List<DestinationStatus> destinations();

    /** Returns the messages acknowledged since the start. */
    long acknowledgedCount();

    /** Returns how many of their calls were not made, because they waited for too long. */
    long notMadeCount();

    /**
     * Resizes the node like {@code PATCH /api/workers}.
     *
     * @param threads event loops; null for no change
     * @param maxInFlight calls in flight; null for no change
     * @throws RuntimeException if the resize fails; the node keeps its size
     */
    void resize(Integer threads, Integer maxInFlight);
}

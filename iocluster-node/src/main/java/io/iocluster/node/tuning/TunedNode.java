package io.iocluster.node.tuning;

import io.iocluster.destination.DestinationStatus;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.pipeline.PipelineStatus;
import java.util.List;

/** A node as its advisor sees it. Safe for use by several threads; only {@link #resize} may take a moment. */
public interface TunedNode {

    /** As they hold now. */
    NodeSettings settings();

    /** What is known now. */
    PipelineStatus status();

    /** Each destination as it stands: the configured ones, and those that were called of late. */
    List<DestinationStatus> destinations();

    /** Messages acknowledged since the start. */
    long acknowledgedCount();

    /**
     * Changes how much is done at once, as {@code PATCH /api/workers} does.
     *
     * @param threads event loops; null: as it is
     * @param maxInFlight calls open at once; null: as it is
     * @throws RuntimeException if it cannot be had; the node goes on as before
     */
    void resize(Integer threads, Integer maxInFlight);
}

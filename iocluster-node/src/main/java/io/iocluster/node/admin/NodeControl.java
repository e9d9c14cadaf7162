package io.iocluster.node.admin;

import io.iocluster.destination.DestinationStatus;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.pipeline.PipelineStatus;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The part of a node that the admin server reads and controls. Thread-safe; no method blocks. */
public interface NodeControl {

    /** Returns the node's id. */
    String id();

    /** Returns the time since the node started. */
    Duration uptime();

    /** Returns the current status of the pipeline. */
    PipelineStatus status();

    /** Returns the current settings, with secrets. */
    NodeSettings settings();

    /** Returns whether the node makes synthetic calls before it reads messages. */
    boolean isWarmingUp();

    /** Returns the status of the configured and of the recently called destinations. */
    List<DestinationStatus> destinations();

    /** Returns the settings in use, with secrets hidden. */
    ObjectNode effectiveConfig();

    /**
     * Resizes the workers. The size stays until the {@code workers} section of the file changes.
     *
     * @param threads number of event loops, 0 for one per core; null to keep it
     * @param maxInFlight maximum calls in flight; null to keep it
     * @throws io.iocluster.settings.InvalidSettingsException if a value is out of range
     */
    void resize(Integer threads, Integer maxInFlight);

    /** Stops reading messages until {@link #resume}. Calls in flight continue. */
    void pause();

    /** Starts reading messages again. */
    void resume();

    /** Starts a drain, as SIGTERM does, but keeps the process running. Further calls have no effect. */
    void drain();
}

package io.iocluster.node.admin;

import io.iocluster.destination.DestinationStatus;
import io.iocluster.node.consul.ConsulStatus;
import io.iocluster.node.reload.ConfigurationStatus;
import io.iocluster.node.tuning.TuningStatus;
import io.iocluster.pipeline.PipelineStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** What the admin server can see and do of its node. Safe for use by several threads; nothing here blocks. */
public interface NodeControl {

    /** The node's name. */
    String id();

    /** How long the node has run. */
    Duration uptime();

    /** What is known now. */
    PipelineStatus status();

    /** Each destination as it stands: the configured ones, and those that were called of late. */
    List<DestinationStatus> destinations();

    /** The configuration as it holds, with secrets hidden. */
    ObjectNode effectiveConfig();

    /** How that stands to its file. */
    ConfigurationStatus configuration();

    /** How the node stands with its agent in Consul; empty if it has none. */
    Optional<ConsulStatus> consul();

    /** What its advisor says. */
    TuningStatus tuning();

    /**
     * Changes how much is done at once, until the file says something else of the workers than it says now.
     *
     * @param threads event loops, 0: one for each core; null: as it is
     * @param maxInFlight calls open at once; null: as it is
     * @throws io.iocluster.settings.InvalidSettingsException if a value is out of its range
     */
    void resize(Integer threads, Integer maxInFlight);

    /** Reads nothing more until {@link #resume}; what is under way goes on. */
    void pause();

    void resume();

    /** Begins a drain, as SIGTERM would, but leaves the process up; further calls change nothing. */
    void drain();
}

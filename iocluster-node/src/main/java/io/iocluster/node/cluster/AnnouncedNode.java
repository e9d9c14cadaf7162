package io.iocluster.node.cluster;

import io.iocluster.destination.DestinationStatus;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.reload.ConfigurationStatus;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.producer.AppStatus;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** The node as its announcements describe it. Thread-safe; no method blocks. */
public interface AnnouncedNode {

    /** Returns the node's id. */
    String id();

    /** Returns the time since the node started. */
    Duration uptime();

    /** Returns the current settings. */
    NodeSettings settings();

    /** Returns the current status of the pipeline. */
    PipelineStatus status();

    /** Returns the configured destinations and those that were called recently. */
    List<DestinationStatus> destinations();

    /** Returns the apps that are configured or sent a message in the last minutes. */
    List<AppStatus> apps();

    /** Returns the status of the live configuration. */
    ConfigurationStatus configuration();

    /** Returns the address of the admin server, with the actual port. */
    InetSocketAddress adminAddress();
}

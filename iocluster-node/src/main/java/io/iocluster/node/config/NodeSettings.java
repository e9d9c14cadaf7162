package io.iocluster.node.config;

import io.iocluster.egress.EgressSettings;
import io.iocluster.http.HttpSettings;
import io.iocluster.pipeline.WorkerSettings;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.Setting;

/** The whole configuration of a node: the one place that names its sections. */
public record NodeSettings(
        @Setting(doc = "Who this node is.") IdentitySettings node,

        @Setting(value = "kafka", doc = "The broker that requests come from and answers go to.")
        TransportKind transport,

        @Setting(doc = "How much the node does at once.") WorkerSettings workers,
        @Setting(doc = "How calls are made.") HttpSettings http,

        @Setting(doc = "When a failed attempt is made again.")
        RetrySettings retry,

        @Setting(doc = "Where calls may go.") EgressSettings egress,
        @Setting(doc = "How the node ends.") ShutdownSettings shutdown,

        @Setting(doc = "The node's own HTTP server, for people, probes and Prometheus.")
        AdminSettings admin,

        @Setting(doc = "What is counted.") MetricsSettings metrics,
        @Setting(doc = "What is logged, on standard error.") LoggingSettings logging) {

    /** The brokers that a node can work with. */
    public enum TransportKind {
        KAFKA
    }
}

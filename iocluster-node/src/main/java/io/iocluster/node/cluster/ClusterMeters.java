package io.iocluster.node.cluster;

import io.iocluster.transport.cluster.ClusterChannelStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Registers the meters of the cluster, if the node announces itself. They read its status at each scrape. */
public final class ClusterMeters implements MeterBinder {

    private final Supplier<ClusterStatus> status;

    public ClusterMeters(ClusterMember member) {
        this(member::status);
    }

    ClusterMeters(Supplier<ClusterStatus> status) {
        this.status = status;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        if (!status.get().enabled()) {
            return;
        }
        gauge(
                registry,
                "iocluster.cluster.nodes",
                "Live nodes that this node sees, itself included",
                cluster -> cluster.snapshot().nodes().size());
        gauge(
                registry,
                "iocluster.cluster.configurations",
                "Different versions and configurations of the live nodes",
                cluster -> NodeDifferences.of(cluster.snapshot().nodes()).configurations());
        gauge(
                registry,
                "iocluster.cluster.outdated",
                "Whether no announcement arrives, so that the other nodes are shown as they were",
                cluster -> cluster.snapshot().silent() ? 1 : 0);
        gauge(
                registry,
                "iocluster.cluster.limit.nodes",
                "Nodes by which this node divides limits for the cluster; 0 while it does not know its share",
                cluster -> cluster.share().nodes());
        counter(
                registry,
                "iocluster.cluster.nodes.lost",
                "Nodes that disappeared without a drain",
                cluster -> cluster.snapshot().lostCount());
        announcements(registry, "sent", ClusterChannelStatus::announced);
        announcements(registry, "failed", ClusterChannelStatus::failed);
        for (IgnoredRecord reason : IgnoredRecord.values()) {
            ignored(
                    registry,
                    reason.wireName(),
                    cluster -> cluster.snapshot().ignored().get(reason));
        }
        ignored(registry, "too-large-or-many", cluster -> cluster.channel().dropped());
    }

    private void gauge(MeterRegistry registry, String name, String description, ToDoubleFunction<ClusterStatus> value) {
        Gauge.builder(name, this, meters -> value.applyAsDouble(meters.status.get()))
                .description(description)
                .register(registry);
    }

    private void counter(
            MeterRegistry registry, String name, String description, ToDoubleFunction<ClusterStatus> value) {
        FunctionCounter.builder(name, this, meters -> value.applyAsDouble(meters.status.get()))
                .description(description)
                .register(registry);
    }

    private void announcements(MeterRegistry registry, String result, ToDoubleFunction<ClusterChannelStatus> count) {
        FunctionCounter.builder(
                        "iocluster.cluster.announcements",
                        this,
                        meters -> count.applyAsDouble(meters.status.get().channel()))
                .description("Announcements of this node")
                .tag("result", result)
                .register(registry);
    }

    private void ignored(MeterRegistry registry, String reason, ToDoubleFunction<ClusterStatus> count) {
        FunctionCounter.builder(
                        "iocluster.cluster.ignored.records", this, meters -> count.applyAsDouble(meters.status.get()))
                .description("Records on the topic or exchange of announcements that this node ignored")
                .tag("reason", reason)
                .register(registry);
    }
}

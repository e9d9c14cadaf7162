package io.iocluster.node.door;

import io.iocluster.client.spi.ClientTransport;
import io.iocluster.door.call.Calls;
import io.iocluster.door.call.ConnectingCalls;
import io.iocluster.door.call.EgressCheckedCalls;
import io.iocluster.door.call.QueueCalls;
import io.iocluster.door.config.DoorLimits;
import io.iocluster.door.config.SpoolSettings;
import io.iocluster.door.http.DoorPages.Page;
import io.iocluster.door.meter.SpoolMeters;
import io.iocluster.door.spool.SpooledCalls;
import io.iocluster.egress.EgressPolicy;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.thread.Platform;
import io.iocluster.upstream.ConsulUpstreamSettings;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** Puts the calls of a door on the queue of nodes. */
final class QueueBackend implements DoorBackend {

    private final QueueDoorMetrics metrics;
    private final EgressCheckedCalls calls;

    private QueueBackend(QueueDoorMetrics metrics, EgressCheckedCalls calls) {
        this.metrics = metrics;
        this.calls = calls;
    }

    /**
     * Connects to the broker, in the background if there is a spool.
     *
     * @throws IOException if the broker is unreachable and there is no spool, or if the spool cannot be used; the message is for users
     * @throws io.iocluster.settings.InvalidSettingsException if the client of the broker cannot be created
     */
    static QueueBackend connect(NodeSettings settings, Platform platform) throws IOException {
        settings.requireUsableBrokerClient();
        String id = settings.node().id();
        QueueDoorMetrics metrics = new QueueDoorMetrics();
        try {
            Calls queue = queue(settings, metrics, platform);
            return new QueueBackend(metrics, new EgressCheckedCalls(queue, new EgressPolicy(settings.egress())));
        } catch (IOException | RuntimeException failed) {
            metrics.close();
            throw failed;
        }
    }

    private static Calls queue(NodeSettings settings, QueueDoorMetrics metrics, Platform platform) throws IOException {
        SpoolSettings spool = settings.door().spool();
        // The door and its spool limit the open calls, and the limit of the door may be raised while it runs.
        int maxOpen = DoorLimits.MAX_IN_FLIGHT + (spool.isEnabled() ? spool.maxCalls() : 0);
        ClientTransport transport = DoorClients.transport(settings);
        ConnectingCalls.Connector connector = () -> QueueCalls.connect(
                transport, settings.node().id(), settings.producers().header(), maxOpen, platform);
        if (!spool.isEnabled()) {
            return connector.connect();
        }
        SpooledCalls calls = SpooledCalls.open(spool, connector, platform);
        new SpoolMeters(calls::status).bindTo(metrics.registry());
        return calls;
    }

    @Override
    public Calls calls() {
        return calls;
    }

    /** Does nothing, because the client is connected. */
    @Override
    public void start() {}

    @Override
    public void bind(MeterBinder meters) {
        meters.bindTo(metrics.registry());
    }

    @Override
    public Page metrics(String accept) {
        return metrics.scrape(accept);
    }

    /** Returns none, because nodes choose the upstreams. */
    @Override
    public Set<ConsulUpstreamSettings> services(NodeSettings settings) {
        return Set.of();
    }

    @Override
    public void setService(ConsulUpstreamSettings service, List<UpstreamAddress> instances) {
        throw new IllegalStateException("a door on the queue has no upstreams");
    }

    @Override
    public boolean apply(NodeSettings next) {
        calls.update(new EgressPolicy(next.egress()));
        return false;
    }

    @Override
    public void close() {
        metrics.close();
    }
}

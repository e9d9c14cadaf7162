package io.iocluster.node.door;

import io.iocluster.door.call.Calls;
import io.iocluster.door.call.EgressCheckedCalls;
import io.iocluster.door.call.QueueCalls;
import io.iocluster.door.server.DoorRoutes.Page;
import io.iocluster.egress.EgressPolicy;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.upstream.ConsulUpstreamSettings;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** Puts the calls of a door on the queue of nodes. */
final class QueueBackend implements DoorBackend {

    private final QueueDoorMetrics metrics = new QueueDoorMetrics();
    private final EgressCheckedCalls calls;

    private QueueBackend(EgressCheckedCalls calls) {
        this.calls = calls;
    }

    /**
     * Connects to the broker.
     *
     * @throws IOException if it is unreachable; the message is for users
     */
    static QueueBackend connect(NodeSettings settings) throws IOException {
        String id = settings.node().id();
        QueueCalls queue = QueueCalls.connect(
                DoorClients.transport(settings),
                id,
                settings.producers().header(),
                settings.door().limits().maxInFlight());
        return new QueueBackend(new EgressCheckedCalls(queue, new EgressPolicy(settings.egress()), id));
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

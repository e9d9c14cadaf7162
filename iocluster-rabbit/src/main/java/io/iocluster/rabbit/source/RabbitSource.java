package io.iocluster.rabbit.source;

import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.RabbitConnections;
import io.iocluster.rabbit.connection.ResourceAlarm;
import io.iocluster.rabbit.connection.Topology;
import io.iocluster.thread.Platform;
import io.iocluster.transport.Intake;
import io.iocluster.transport.source.LifecycleSource;

/** Reads requests from a queue. Thread-safe. */
public final class RabbitSource extends LifecycleSource<RunningRabbitSource> {

    private final RabbitSettings settings;
    private final RabbitConnections connections;
    private final ResourceAlarm alarm;
    private final Topology topology;
    private final Platform platform;

    private volatile IntakeCapacity capacity = new IntakeCapacity(300, 300);

    /**
     * How many deliveries the intake holds at most.
     *
     * @param calls deliveries whose calls are in flight or waiting
     * @param unconfirmed further deliveries whose answers the broker has not confirmed
     */
    record IntakeCapacity(int calls, int unconfirmed) {}

    public RabbitSource(
            RabbitSettings settings,
            RabbitConnections connections,
            ResourceAlarm alarm,
            Topology topology,
            Platform platform) {
        this.settings = settings;
        this.topology = topology;
        this.connections = connections;
        this.alarm = alarm;
        this.platform = platform;
    }

    @Override
    protected RunningRabbitSource create(Intake intake) {
        return new RunningRabbitSource(settings, connections, alarm, topology, intake, () -> capacity, platform);
    }

    @Override
    public void prefetchHint(int calls, int unconfirmed) {
        capacity = new IntakeCapacity(calls, unconfirmed);
        RunningRabbitSource running = running();
        if (running != null) {
            running.wakeUp();
        }
    }
}

package io.iocluster.simulation.rabbit;

import com.rabbitmq.client.Connection;
import io.iocluster.rabbit.connection.EventLoopThread;
import io.iocluster.rabbit.connection.InboundGuard;
import io.iocluster.rabbit.connection.RabbitConnections;
import io.iocluster.testkit.simulation.SimulatedEventLoop;
import io.iocluster.testkit.simulation.SimulatedProcess;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.function.Supplier;

/** The connections of one process to a simulated broker. Confined to the thread of the simulation. */
final class SimulatedConnections implements RabbitConnections {

    private static final long MAX_CONNECT_NANOS = 20_000_000;

    private final SimulatedRabbit broker;
    private final SimulatedProcess process;
    private final String user;

    SimulatedConnections(SimulatedRabbit broker, SimulatedProcess process, String user) {
        this.broker = broker;
        this.process = process;
        this.user = user;
    }

    @Override
    public String addresses() {
        return "simulated:5672";
    }

    @Override
    public EventLoopThread newLoop(String threadName) {
        return new EventLoopThread(new SimulatedEventLoop(process), process);
    }

    @Override
    public Connection open(String role, EventLoopThread loop, Supplier<InboundGuard> inbound) throws IOException {
        process.sleep(Duration.ofNanos(broker.simulation().random().nextLong(MAX_CONNECT_NANOS)));
        if (broker.isDown()) {
            throw new ConnectException("Connection refused");
        }
        ClientConnection client = new ClientConnection(role, process, loop, inbound.get());
        ServerConnection server = new ServerConnection(broker, process, client, user);
        client.connected(server);
        broker.opened(server);
        return client.connection();
    }
}

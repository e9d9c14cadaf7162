package io.iocluster.simulation.rabbit;

import com.rabbitmq.client.Connection;
import io.iocluster.rabbit.RabbitTransport;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.EventLoopThread;
import io.iocluster.rabbit.connection.InboundGuard;
import io.iocluster.rabbit.connection.RabbitConnections;
import io.iocluster.rabbit.ledger.RabbitDelivery;
import io.iocluster.simulation.broker.DelegatingSource;
import io.iocluster.testkit.simulation.SimulatedProcess;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.Intake;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.Transport;
import java.io.IOException;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The transport of one node. Tells the oracle which deliveries reach the pipeline: a message that only waited in the node's buffer was not
 * called. Confined to the thread of the simulation.
 */
public final class RabbitNode implements Transport {

    private final RabbitBroker broker;
    private final SimulatedProcess process;
    private final RabbitTransport transport;
    private UnaryOperator<Connection> defect = UnaryOperator.identity();
    private final RequestSource source;
    /** By the body, which is one object for each delivery. Not iterated. */
    private final Map<byte[], Offer> offers = new IdentityHashMap<>();

    private int left;

    /** A delivery that was offered to the pipeline. */
    private record Offer(String call, RabbitDelivery delivery, boolean accepted) {}

    RabbitNode(RabbitBroker broker, SimulatedProcess process, RabbitConnections connections, RabbitSettings settings) {
        this.broker = broker;
        this.process = process;
        this.transport = new RabbitTransport(settings, process.name(), new PlantedConnections(connections), process);
        this.source = new DelegatingSource(transport.source()) {
            @Override
            protected boolean offer(Intake intake, Delivery delivery) {
                return RabbitNode.this.offer(intake, (RabbitDelivery) delivery);
            }
        };
    }

    /** Replaces each connection that the node opens from now on. */
    public void plant(UnaryOperator<Connection> planted) {
        defect = planted;
    }

    /** Opens connections that may have a defect. */
    private final class PlantedConnections implements RabbitConnections {

        private final RabbitConnections correct;

        PlantedConnections(RabbitConnections correct) {
            this.correct = correct;
        }

        @Override
        public String addresses() {
            return correct.addresses();
        }

        @Override
        public EventLoopThread newLoop(String threadName) {
            return correct.newLoop(threadName);
        }

        @Override
        public Connection open(String role, EventLoopThread loop, Supplier<InboundGuard> inbound) throws IOException {
            return defect.apply(correct.open(role, loop, inbound));
        }
    }

    @Override
    public String name() {
        return transport.name();
    }

    @Override
    public RequestSource source() {
        return source;
    }

    @Override
    public ResponseSink sink() {
        return transport.sink();
    }

    private boolean offer(Intake intake, RabbitDelivery delivery) {
        String call = RabbitBroker.callOf(delivery.properties());
        byte[] body = delivery.payload();
        Offer before = offers.get(body);
        boolean released = before != null && before.accepted();
        if (released) {
            broker.listener().released(call, process.name());
        }
        if (released || before == null) {
            broker.simulation().trace().add(process.name(), () -> "gets " + call);
            broker.listener().delivered(call, process.name());
            if (released || delivery.isRedelivered()) {
                broker.listener().redelivered(call);
            }
        }
        boolean accepted = intake.offer(delivery);
        offers.put(body, new Offer(call, delivery, accepted));
        return accepted;
    }

    /** The transport has returned a delivery to its queue. */
    void returned(byte[] body) {
        if (isAccepted(body)) {
            broker.listener().released(offers.get(body).call(), process.name());
        }
    }

    /** The transport has closed its connection without having settled a delivery at the broker. */
    void left(byte[] body) {
        left += isAccepted(body) && offers.get(body).delivery().isAcknowledged() ? 1 : 0;
    }

    /** Returns how many messages the pipeline has acknowledged and the transport has not. */
    int left() {
        return left;
    }

    private boolean isAccepted(byte[] body) {
        Offer offer = offers.get(body);
        return offer != null && offer.accepted();
    }
}

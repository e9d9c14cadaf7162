package io.iocluster.rabbit.connection;

import com.rabbitmq.client.Connection;
import io.iocluster.rabbit.config.RabbitSettings;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/** The queues of the settings on the broker, for whoever wants to know before a node runs. Has no state; methods block. */
public final class RabbitQueueAdmin {

    static final String MISSING = "does not exist";

    private static final int CLOSE_MILLIS = 2_000;

    private final RabbitSettings settings;
    private final Connector connector;

    /** Of the node with this id. */
    public RabbitQueueAdmin(RabbitSettings settings, String nodeId) {
        this.settings = settings;
        this.connector = new Connector(settings, nodeId);
    }

    /**
     * One queue or exchange as the broker knows it.
     *
     * @param title what it is, and its name
     * @param problem for people; null if all is well, or if it is missing and the node will make it
     */
    public record QueueReport(String title, boolean exists, String problem) {

        /** Whether the broker answered that there is no such place, and nobody will make it. */
        public boolean isMissing() {
            return MISSING.equals(problem);
        }
    }

    /**
     * What a broker answered.
     *
     * @param node whose address this is, of those that the settings name
     */
    public record TopologyReport(String brokerAddress, List<QueueReport> reports) {}

    /**
     * Asks the broker for every queue and exchange of the settings.
     *
     * @throws IOException if no broker lets the node in; the message is for people
     */
    public TopologyReport check() throws IOException {
        return ask("check", connection -> new TopologyReport(address(connection), check(connection)));
    }

    /**
     * Declares what is missing if the settings ask for it, as a node does when it connects.
     *
     * @throws IOException if no broker lets the node in, or something is missing then; the message is for people
     */
    public void declare() throws IOException {
        ask("declare", connection -> {
            new Topology(settings).verifyOrDeclare(connection);
            return null;
        });
    }

    @FunctionalInterface
    private interface Question<T> {
        T ask(Connection connection) throws IOException;
    }

    private <T> T ask(String role, Question<T> question) throws IOException {
        EventLoopThread loop = new EventLoopThread("iocluster-rabbit-" + role);
        try {
            Connection connection = connector.open(role, loop);
            try {
                return question.ask(connection);
            } finally {
                connection.abort(CLOSE_MILLIS);
            }
        } finally {
            loop.close();
        }
    }

    /** As it is written in the connection's place, for what the settings name may be several addresses. */
    private static String address(Connection connection) throws IOException {
        InetAddress address = connection.getAddress();
        if (address == null) {
            throw new IOException("the connection ended at once");
        }
        String host = address.getHostAddress();
        return (address instanceof Inet6Address ? "[" + host + "]" : host) + ":" + connection.getPort();
    }

    private List<QueueReport> check(Connection connection) throws IOException {
        Topology topology = new Topology(settings);
        List<QueueReport> reports = new ArrayList<>();
        for (Topology.BrokerEntity place : topology.entities()) {
            String problem = topology.problem(connection, place, false);
            boolean made = MISSING.equals(problem)
                    && place.isQueue()
                    && settings.declare().enabled();
            reports.add(new QueueReport(place.title(), problem == null, made ? null : problem));
        }
        String poison = new DeliveryLimitCheck(settings).warning(connection);
        if (poison != null) {
            reports.add(new QueueReport("queue " + settings.requests().queue(), true, poison));
        }
        return reports;
    }
}

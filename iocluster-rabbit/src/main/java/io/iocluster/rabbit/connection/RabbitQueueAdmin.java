package io.iocluster.rabbit.connection;

import com.rabbitmq.client.Connection;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.ChannelProbe.BrokerRefusal;
import io.iocluster.settings.ConnectionUri;
import io.iocluster.settings.DurationText;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

/** Checks and declares the configured queues before a node runs. Immutable; methods block. */
public final class RabbitQueueAdmin {

    static final String MISSING = "does not exist";

    private static final int CLOSE_MILLIS = 2_000;

    private final RabbitSettings settings;
    private final RabbitConnections connections;
    private final Platform platform;

    /** @param nodeId part of the connections' names */
    public RabbitQueueAdmin(RabbitSettings settings, String nodeId, Platform platform) {
        this.settings = settings;
        this.connections = new Connector(settings, nodeId, platform);
        this.platform = platform;
    }

    /**
     * The state of one queue or exchange.
     *
     * @param title its kind and name
     * @param problem for the operator; null if there is none, or if it is missing and the node will declare it
     */
    public record QueueReport(String title, boolean exists, String problem) {

        /** Returns whether it does not exist and the node will not declare it. */
        public boolean isMissing() {
            return MISSING.equals(problem);
        }
    }

    /**
     * The answer of one broker.
     *
     * @param brokerAddress host and port of the broker that answered
     */
    public record TopologyReport(String brokerAddress, List<QueueReport> reports) {}

    /**
     * Asks the broker for every queue and exchange of the settings.
     *
     * @throws IOException if no broker accepts the connection; the message is for the operator
     */
    public TopologyReport check() throws IOException {
        return run("check", connection -> new TopologyReport(address(connection), check(connection)));
    }

    /**
     * Asks the broker for the exchange of announcements.
     *
     * @throws IOException if no broker accepts the connection; the message is for the operator
     */
    public QueueReport checkClusterExchange() throws IOException {
        return run("check", connection -> {
            BrokerRefusal refusal = ClusterExchange.refusal(connection, settings.clusterExchange());
            String title = "exchange " + settings.clusterExchange();
            if (refusal == null) {
                return new QueueReport(title, true, null);
            }
            boolean missing = refusal.code() == ChannelProbe.NOT_FOUND;
            boolean willBeDeclared = missing && settings.declare().enabled();
            return new QueueReport(title, false, willBeDeclared ? null : missing ? MISSING : refusal.text());
        });
    }

    /**
     * Connects to a broker and disconnects. A later result of an attempt that exceeds the time is ignored.
     *
     * @throws IOException if no broker accepts a connection within this time; the message has the addresses
     */
    public void requireReachable(Duration timeout) throws IOException {
        CompletableFuture<Void> reached = new CompletableFuture<>();
        platform.newThreads("iocluster-rabbit-connect").execute(() -> attempt(reached));
        try {
            if (!platform.await(reached, timeout)) {
                String addresses =
                        settings.uris().stream().map(ConnectionUri::address).collect(Collectors.joining(","));
                throw new IOException(addresses + ": no broker answers within " + DurationText.format(timeout));
            }
            reached.get();
        } catch (ExecutionException failed) {
            throw new IOException(failed.getCause().getMessage(), failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }

    private void attempt(CompletableFuture<Void> reached) {
        try {
            run("connect", connection -> reached.complete(null));
        } catch (IOException | RuntimeException failed) {
            reached.completeExceptionally(failed);
        }
    }

    /**
     * Declares missing queues if {@code rabbit.declare.enabled} is set, as a node does when it connects.
     *
     * @throws IOException if no broker accepts the connection or something is still missing; the message is for the operator
     */
    public void declare() throws IOException {
        run("declare", connection -> {
            new Topology(settings).verifyOrDeclare(connection);
            return null;
        });
    }

    @FunctionalInterface
    private interface BrokerQuery<T> {
        T run(Connection connection) throws IOException;
    }

    private <T> T run(String role, BrokerQuery<T> query) throws IOException {
        EventLoopThread loop = connections.newLoop("iocluster-rabbit-" + role);
        try {
            Connection connection = connections.open(role, loop);
            try {
                return query.run(connection);
            } finally {
                connection.abort(CLOSE_MILLIS);
            }
        } finally {
            loop.close();
        }
    }

    /** Returns the address of the connection, because a configured name may stand for several addresses. */
    private static String address(Connection connection) throws IOException {
        InetAddress address = connection.getAddress();
        if (address == null) {
            throw new IOException("the connection was closed at once");
        }
        String host = address.getHostAddress();
        return (address instanceof Inet6Address ? "[" + host + "]" : host) + ":" + connection.getPort();
    }

    private List<QueueReport> check(Connection connection) throws IOException {
        Topology topology = new Topology(settings);
        List<QueueReport> reports = new ArrayList<>();
        for (Topology.BrokerEntity entity : topology.entities()) {
            String problem = topology.problem(connection, entity, false);
            boolean willBeDeclared = MISSING.equals(problem)
                    && entity.isQueue()
                    && settings.declare().enabled();
            reports.add(new QueueReport(entity.title(), problem == null, willBeDeclared ? null : problem));
        }
        String warning = new DeliveryLimitCheck(settings).warning(connection);
        if (warning != null) {
            reports.add(new QueueReport("queue " + settings.requests().queue(), true, warning));
        }
        return reports;
    }
}

package io.iocluster.testkit.rabbit;

import java.util.ArrayList;
import java.util.List;

/**
 * Nodes of RabbitMQ on this machine that form one cluster, so that quorum queues outlive one of them. Owned by one test at a
 * time; not safe for several threads.
 */
public final class RabbitCluster implements AutoCloseable {

    private final ErlangEnvironment home;
    private final List<RabbitProcess> nodes = new ArrayList<>();
    private final UnsavedQuorumQueues recentQueues = new UnsavedQuorumQueues();

    private RabbitCluster(ErlangEnvironment home) {
        this.home = home;
    }

    /** Starts that many nodes and returns when they are one cluster. */
    public static RabbitCluster launch(int count) {
        return launch(count, RabbitOptions.DEFAULT);
    }

    /** Like {@link #launch(int)}; the options hold for each node. */
    public static RabbitCluster launch(int count, RabbitOptions options) {
        RabbitCluster cluster = new RabbitCluster(new ErlangEnvironment());
        try {
            for (int i = 1; i <= count; i++) {
                cluster.add(i, options);
            }
            cluster.start();
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    public List<RabbitProcess> nodes() {
        return List.copyOf(nodes);
    }

    /** Where clients connect: each node's. */
    public List<String> uris() {
        return nodes.stream().map(RabbitProcess::uri).toList();
    }

    /** The node that leads the quorum queue now. */
    public RabbitProcess leaderOf(String queue) {
        RabbitProcess asked = nodes.stream()
                .filter(RabbitProcess::isAlive)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no node runs"));
        String table = asked.rabbitmqctl("-q", "list_queues", "name", "leader");
        return nodes.stream()
                .filter(node -> table.lines().anyMatch((queue + "\t" + node.nodeName())::equals))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(queue + " has no leader:\n" + table));
    }

    @Override
    public void close() {
        nodes.forEach(RabbitProcess::close);
        home.close();
    }

    /** Each knows itself and the first: a node looks five seconds long for others that it knows and that do not run. */
    private void add(int number, RabbitOptions options) {
        String name = name(number);
        RabbitNodeConfig configuration = RabbitNodeConfig.create(
                home.resolve(name),
                name,
                options.with("cluster_formation.peer_discovery_backend", "classic_config")
                        .with("cluster_formation.classic_config.nodes.1", name(1))
                        .with("cluster_formation.classic_config.nodes." + number, name));
        nodes.add(new RabbitProcess(home, configuration, recentQueues, () -> {}));
    }

    /** The first by itself: nodes that form a cluster together wait for one lock, in sleeps of up to eight seconds. */
    private void start() {
        nodes.get(0).start();
        List<RabbitProcess> others = nodes.subList(1, nodes.size());
        others.forEach(RabbitProcess::startProcess);
        others.forEach(RabbitProcess::awaitStarted);
        nodes.get(0).rabbitmqctl("-q", "await_online_nodes", Integer.toString(nodes.size()), "-t", "60");
    }

    private static String name(int number) {
        return "rabbit" + number + "@localhost";
    }
}

package io.iocluster.testkit.rabbit;

import io.iocluster.testkit.broker.Polling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A RabbitMQ cluster of several nodes on this machine, so that quorum queues survive the loss of one. Owned by one test
 * at a time; not thread-safe.
 */
public final class RabbitCluster implements AutoCloseable {

    private static final Duration ELECTION = Duration.ofMinutes(1);

    private final ErlangEnvironment home;
    private final List<RabbitProcess> nodes = new ArrayList<>();
    private final UnsavedQuorumQueues recentQueues = new UnsavedQuorumQueues();

    private RabbitCluster(ErlangEnvironment home) {
        this.home = home;
    }

    /** Starts that many nodes and returns when they form a cluster. */
    public static RabbitCluster launch(int count) {
        return launch(count, RabbitOptions.DEFAULT);
    }

    /** Starts a cluster like {@link #launch(int)}, with options for each node. */
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

    /** Returns the AMQP URI of each node. */
    public List<String> uris() {
        return nodes.stream().map(RabbitProcess::uri).toList();
    }

    /** Returns the current leader of the quorum queue. Waits for the end of an election. */
    public RabbitProcess leaderOf(String queue) {
        RabbitProcess runningNode = nodes.stream()
                .filter(RabbitProcess::isAlive)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no node runs"));
        AtomicReference<RabbitProcess> leader = new AtomicReference<>();
        long end = System.nanoTime() + ELECTION.toNanos();
        if (!Polling.pollUntil(end, () -> {
            leader.set(leaderAt(runningNode, queue));
            return leader.get() != null;
        })) {
            throw new IllegalStateException(queue + " has no leader");
        }
        return leader.get();
    }

    private RabbitProcess leaderAt(RabbitProcess node, String queue) {
        String leader = node.eval("{ok, Q} = " + RabbitQueues.lookup(queue)
                        + ", [{leader, Leader}] = rabbit_amqqueue:info(Q, [leader]), Leader")
                .replace("'", "");
        return nodes.stream()
                .filter(each -> each.nodeName().equals(leader))
                .findFirst()
                .orElse(null);
    }

    @Override
    public void close() {
        nodes.forEach(RabbitProcess::close);
        home.close();
    }

    /**
     * Adds a node whose peers are only itself and the first node, because a node waits five seconds for each peer that
     * does not run.
     */
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

    /**
     * Starts the first node alone, because nodes that form a cluster at the same time wait for a common lock, in sleeps
     * of up to eight seconds.
     */
    private void start() {
        nodes.get(0).start();
        List<RabbitProcess> others = nodes.subList(1, nodes.size());
        others.forEach(RabbitProcess::startProcess);
        others.forEach(RabbitProcess::awaitStarted);
        // The call of the testkit must end within a minute.
        nodes.get(0).evalOk("rabbit_nodes:await_running_count(" + nodes.size() + ", " + ELECTION.toMillis() + ")");
    }

    private static String name(int number) {
        return "rabbit" + number + "@localhost";
    }
}

package io.iocluster.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.NodeProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Measures how many calls a second a target gets from real nodes that divide a limit, while nodes start, are killed and are drained. Takes two
 * minutes on a real broker. The suite does not run it; CONTRIBUTING.md has the command.
 */
abstract class ClusterLimitMeasurement {

    /** Lines of each node's configuration. Calls must not expire while they wait for a share. */
    static final String[] CONFIGURATION = {
        "destinations: [{match: 127.0.0.1, name: partner, rate: 200/s, rate-per: cluster, max-waiting: 200, deadline: 5m}]"
    };

    private static final int CALLS = 40_000;
    private static final double AT_MOST = 220;
    private static final double AT_LEAST = 180;

    private static final Duration PHASE = Duration.ofSeconds(20);
    private static final Duration LONG = Duration.ofMinutes(1);

    final ArrivalTarget target = new ArrivalTarget();
    private final List<NodeProcess> nodes = new ArrayList<>();
    private final List<Path> logs = new ArrayList<>();
    private final List<Phase> phases = new ArrayList<>();

    /**
     * A change, and a time after it in which no node starts or ends.
     *
     * @param changeNanos when the change started
     * @param startNanos when the change ended
     * @param busyNanos since when there is work, and a node that does it
     */
    private record Phase(String change, long changeNanos, long startNanos, long busyNanos, long endNanos) {}

    /** Writes the configuration of a node with this id and {@link #CONFIGURATION}. */
    abstract Path configure(String id);

    /** Publishes an envelope this often, and waits until the broker has them. */
    abstract void publish(byte[] envelope, int times) throws Exception;

    @Test
    void theTargetGetsTheWholeRateFromOneToFourToTwoNodes() throws Exception {
        publish(("{\"url\": \"" + target.url() + "\"}").getBytes(StandardCharsets.UTF_8), CALLS);

        phase("one node starts", () -> {
            start("node-1").awaitReady();
            await().atMost(LONG).until(() -> target.arrivals().length > 0);
        });
        List<NodeProcess> more = new ArrayList<>();
        phase("three more start", () -> {
            IntStream.rangeClosed(2, 4).forEach(i -> more.add(start("node-" + i)));
            more.forEach(NodeProcess::awaitReady);
        });
        phase("one is killed", () -> more.get(0).kill());
        phase("one is drained", () -> more.get(1).terminate(LONG));

        ArrivalRates rates = new ArrivalRates(target.arrivals());
        phases.forEach(phase -> print(phase, rates));
        System.out.println(
                getClass().getSimpleName() + ": records came back too late for a share, times: " + lostShares());
        long start = phases.get(0).startNanos();
        long end = phases.get(phases.size() - 1).endNanos();
        assertThat(rates.max(start - ArrivalRates.WINDOW_NANOS, end)).isLessThanOrEqualTo(AT_MOST);
        assertThat(phases)
                .allSatisfy(phase -> assertThat(rates.min(phase.busyNanos(), phase.endNanos()))
                        .as(phase.change())
                        .isGreaterThanOrEqualTo(AT_LEAST));
    }

    private long lostShares() throws IOException {
        long lost = 0;
        for (Path log : logs) {
            try (Stream<String> lines = Files.lines(log)) {
                lost += lines.filter(line -> line.contains("Share of the limits for the cluster unknown"))
                        .count();
            }
        }
        return lost;
    }

    /** Starts a node with the default warm-up, because the first calls of a cold node arrive late and then together. Returns at once. */
    final NodeProcess start(String id) {
        Path configuration = configure(id);
        Path log = configuration.resolveSibling(id + ".log");
        NodeProcess node = NodeProcess.start(List.of(), Map.of("IOCLUSTER_NODE_WARM_UP", "10s"), configuration, log);
        logs.add(log);
        nodes.add(node);
        return node;
    }

    @AfterEach
    void closeNodes() {
        nodes.forEach(NodeProcess::close);
        target.close();
    }

    private void phase(String change, Runnable action) throws InterruptedException {
        long changeNanos = System.nanoTime();
        action.run();
        long startNanos = System.nanoTime();
        // The target records the calls of this time, and nothing else happens in it that could be awaited.
        TimeUnit.MILLISECONDS.sleep(PHASE.toMillis());
        long busyNanos = phases.isEmpty() ? startNanos : changeNanos;
        phases.add(new Phase(change, changeNanos, startNanos, busyNanos, System.nanoTime()));
    }

    private void print(Phase phase, ArrivalRates rates) {
        System.out.printf(
                "%s: %s (%.1f s): calls in each second from its start: %s; most in any 5 s: %.1f/s; least in any 5 s:"
                        + " %.1f/s%n",
                getClass().getSimpleName(),
                phase.change(),
                (phase.startNanos() - phase.changeNanos()) / 1e9,
                rates.eachSecond(phase.changeNanos(), phase.endNanos()),
                rates.max(phase.changeNanos(), phase.endNanos()),
                rates.min(phase.busyNanos(), phase.endNanos()));
    }
}

package io.iocluster.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.NodeProcess;
import io.iocluster.node.RunningNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What nodes see of each other over a real broker. The tests of a transport extend this class. All tests share two nodes, which run in this
 * process, and each test leaves the cluster as it was.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ClusterOfNodes {

    private static final Duration LONG = Duration.ofMinutes(2);

    private static final List<String> PAIR = List.of("node-1", "node-2");

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private RunningNode one;
    private RunningNode two;

    /** Starts a node with this id in this process. */
    abstract RunningNode startInProcess(String id);

    /** Starts a node with this id as a process, and returns at once. */
    abstract NodeProcess start(String id);

    /** Publishes records on the channel of announcements as another program would. */
    abstract void publish(List<byte[]> records);

    @BeforeAll
    void startTwoNodes() {
        one = startInProcess("node-1").awaitReady();
        two = startInProcess("node-2").awaitReady();
        awaitLong(() -> names(one).equals(PAIR) && names(two).equals(PAIR));
    }

    @Test
    void nodesSeeEachOtherComeAndGo() {
        NodeProcess three = start("node-3").awaitReady();
        List<String> trio = List.of("node-1", "node-2", "node-3");
        awaitLong(() -> names(one).equals(trio)
                && names(two).equals(trio)
                && names(three).equals(trio));
        awaitLong(() -> cluster(one).at("/nodes/2/lag").isNumber());

        three.kill();
        awaitLong(() -> names(one).equals(PAIR));
        JsonNode lost = cluster(one).get("lost");
        assertThat(lost.at("/0/node").asString()).isEqualTo("node-3");

        NodeProcess four = start("node-4").awaitReady();
        awaitLong(() -> names(one).equals(List.of("node-1", "node-2", "node-4")));
        assertThat(four.terminate(LONG)).isZero();
        awaitLong(() -> names(one).equals(PAIR));
        // A node that leaves does not expire.
        assertThat(cluster(one).get("lost")).hasSameSizeAs(lost);
    }

    @Test
    void hostileRecordsAreOnlyCounted() throws Exception {
        double unreadable = ignored(one, "unreadable");
        double excess = ignored(one, "too-large-or-many");
        List<byte[]> records = new ArrayList<>();
        records.add("nonsense".getBytes(StandardCharsets.UTF_8));
        records.add(new byte[40_000]);
        for (int i = 0; i < 10_000; i++) {
            records.add(AnnouncementCodec.encode(TestAnnouncements.idle("fake-" + i, 1_000 + i)));
        }

        publish(records);

        awaitLong(() -> ignored(one, "unreadable") > unreadable && ignored(one, "too-large-or-many") > excess);
        await().during(Duration.ofSeconds(15))
                .atMost(LONG)
                .until(() -> names(one).equals(PAIR));
        assertThat(one.isAlive()).isTrue();
    }

    private static double ignored(RunningNode node, String reason) throws Exception {
        return node.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("iocluster_cluster_ignored_records_total{reason=\"" + reason + "\"}"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    static List<String> names(RunningNode node) {
        return cluster(node)
                .get("nodes")
                .valueStream()
                .map(each -> each.get("node").asString())
                .toList();
    }

    static JsonNode cluster(RunningNode node) {
        try {
            return JSON.readTree(node.get("/api/cluster").body());
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void awaitLong(Callable<Boolean> condition) {
        await().atMost(LONG).pollInterval(Duration.ofMillis(50)).until(condition);
    }
}

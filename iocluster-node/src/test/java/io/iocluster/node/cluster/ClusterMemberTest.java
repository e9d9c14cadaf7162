package io.iocluster.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.destination.policy.ClusterShare;
import io.iocluster.node.AdminFixture;
import io.iocluster.node.cli.CommandRun;
import io.iocluster.node.problem.ProblemMonitor;
import io.iocluster.node.tuning.Advisor;
import io.iocluster.testkit.memory.MemoryCluster;
import io.iocluster.thread.Platform;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests real nodes that see each other over an in-memory channel. */
class ClusterMemberTest {

    private final MemoryCluster cluster = new MemoryCluster();
    private final List<AdminFixture> nodes = new ArrayList<>();

    @AfterEach
    void close() {
        nodes.forEach(AdminFixture::close);
    }

    @Test
    void everyNodeShowsAllNodes() {
        AdminFixture one = start("node-1", "");
        AdminFixture two = start("node-2", "");

        awaitNames(one, "node-1", "node-2");
        awaitNames(two, "node-1", "node-2");

        JsonNode other = cluster(one).get("nodes").get(1);
        assertThat(other.get("self").asBoolean()).isFalse();
        assertThat(other.get("state").asString()).isEqualTo("running");
        assertThat(other.get("inFlightLimit").asInt()).isEqualTo(300);
        assertThat(other.get("configuration").asString())
                .isEqualTo(AdminFixture.json(one.get("/api/status"))
                        .at("/configuration/hash")
                        .asString());
        assertThat(other.get("admin").asString())
                .isEqualTo("127.0.0.1:" + two.uri("").getPort());
        assertThat(one.get("/metrics").body()).contains("iocluster_cluster_nodes 2.0");
    }

    @Test
    void showsWhatEachNodeCallsAndItsProblems() {
        AdminFixture one = start("node-1", "");
        AdminFixture two = start("node-2", "");
        for (int i = 0; i < 20; i++) {
            two.broker.send("{\"url\": \"" + two.target.url("/status?code=401") + "\"}");
        }

        await().untilAsserted(() -> {
            JsonNode seen = cluster(one);
            assertThat(seen.at("/nodes/1/destinations/0/errorShare").asDouble()).isEqualTo(1);
            assertThat(seen.at("/nodes/1/problems/0/kind").asString()).isEqualTo("destination-failing");
            assertThat(seen.at("/problems/0/text").asString()).startsWith("node-2: Destination 127.0.0.1:");
        });
    }

    @Test
    void everyNodeShowsWhichAppFloodsTheCluster() {
        AdminFixture one = start("node-1", "apps: [{name: orders}]");
        AdminFixture two = start("node-2", "apps: [{name: orders}]");
        for (int i = 0; i < 60; i++) {
            two.broker.send(ok(two), "flood-" + i, Map.of("app", "billing"));
        }
        for (AdminFixture each : List.of(one, two)) {
            each.broker.send(ok(each), "order", Map.of("app", "orders"));
        }

        await().untilAsserted(() -> {
            JsonNode apps = cluster(one).get("apps");
            assertThat(apps).extracting(app -> app.get("name").asString()).containsExactly("billing", "orders");
            assertThat(apps.at("/0/share").asDouble()).isGreaterThan(0.8);
            assertThat(apps.at("/0/nodes").toString()).isEqualTo("[\"node-2\"]");
            assertThat(apps.at("/1/nodes").toString()).isEqualTo("[\"node-1\",\"node-2\"]");
        });
        String admin = one.uri("").toString();
        assertThat(CommandRun.of("", Map.of(), "status", "--cluster", "--admin", admin)
                        .out())
                .containsPattern("APP +CALLS/s +SHARE")
                .containsPattern("billing .* node-2\\R");
        assertThat(CommandRun.of("", Map.of(), "top", "--once", "--interval", "100ms", "--admin", admin)
                        .out())
                .containsPattern("(?m)^billing ");
    }

    private static byte[] ok(AdminFixture node) {
        return ("{\"url\": \"" + node.target.url("/ok") + "\"}").getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aDrainedNodeDisappearsAtOnce() {
        AdminFixture one = start("node-1", "");
        AdminFixture two = start("node-2", "");
        awaitNames(one, "node-1", "node-2");

        two.call("POST", "/api/drain", "");

        await().until(() -> names(one).equals(List.of("node-1")));
        assertThat(cluster(one).get("lost")).isEmpty();
        await().until(() -> names(two).equals(List.of("node-1")));
    }

    @Test
    void theNodesDivideALimitAndTakeOverWhenOneLeaves() {
        String divided = "destinations: [{match: 127.0.0.1, name: partner, rate: 90/s, rate-per: cluster,"
                + " max-in-flight: 9, max-in-flight-per: cluster}]";
        AdminFixture one = start("node-1", divided);
        one.broker.send("{\"id\": \"a\", \"url\": \"" + one.target.url("/ok") + "\"}");
        AdminFixture two = start("node-2", divided);

        await().untilAsserted(
                        () -> assertThat(partner(one).get("rate").asString()).isEqualTo("45/s"));
        await().untilAsserted(
                        () -> assertThat(partner(two).get("rate").asString()).isEqualTo("45/s"));
        assertThat(partner(one).get("inFlightLimit").asInt()
                        + partner(two).get("inFlightLimit").asInt())
                .isEqualTo(9);
        assertThat(partner(one).at("/cluster/rate").asString()).isEqualTo("90/s");
        assertThat(one.get("/metrics").body())
                .contains("iocluster_destination_rate_limit{destination=\"partner\"} 45.0")
                .contains("iocluster_cluster_limit_nodes 2.0");
        await().until(() -> one.broker.answers().size() == 1);
        two.call("POST", "/api/drain", "");

        await().until(() -> partner(one).get("rate").asString().equals("90/s"));
        assertThat(cluster(one).get("lost")).as("nodes that expired").isEmpty();
        assertThat(partner(one).get("inFlightLimit").asInt()).isEqualTo(9);
    }

    @Test
    void noCallFailsWhileANodeThatStartsDoesNotKnowItsShare() {
        AdminFixture one = start(
                "node-1",
                "destinations: [{match: 127.0.0.1, name: partner, max-waiting: 5, max-in-flight: 9,"
                        + " max-in-flight-per: cluster}]");
        for (int i = 0; i < 50; i++) {
            one.broker.send(ok(one), "call-" + i, Map.of());
        }

        await().until(() -> one.broker.answers().size() == 50);
        assertThat(partner(one).get("attempts").asInt()).isEqualTo(50);
    }

    @Test
    void aShareThatCouldNotBeAppliedIsAppliedAgain() {
        AdminFixture one = start("node-1", "");
        Queue<ClusterShare> applied = new ConcurrentLinkedQueue<>();
        ClusterMember member = new ClusterMember(
                one.node,
                new Advisor(one.node, Platform.system()),
                new ProblemMonitor(
                        one.node,
                        () -> null,
                        Platform.system(),
                        Platform.system().newScheduler("test")),
                Optional.of(new MemoryCluster().newChannel()),
                share -> {
                    applied.add(share);
                    if (applied.size() == 1) {
                        throw new OutOfMemoryError("in a test");
                    }
                },
                Platform.system());

        try (member) {
            member.start();
            await().until(() -> applied.size() > 1);
        }
        assertThat(applied).startsWith(ClusterShare.WHOLE, ClusterShare.WHOLE);
    }

    private static JsonNode partner(AdminFixture node) {
        return AdminFixture.json(node.get("/api/destinations"))
                .get("destinations")
                .valueStream()
                .filter(each -> each.get("name").asString().equals("partner"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void saysWhichNodeRunsAnotherConfiguration() {
        AdminFixture one = start("node-1", "");
        start("node-2", "");
        start("node-3", "workers: {max-in-flight: 77}");

        await().untilAsserted(
                        () -> assertThat(cluster(one).at("/problems/0/text").asString())
                                .isEqualTo("node-3 runs another configuration than the other nodes."));
        assertThat(cluster(one).at("/nodes/2/otherConfiguration").asBoolean()).isTrue();
        CommandRun status = CommandRun.of(
                "", Map.of(), "status", "--cluster", "--admin", one.uri("").toString());
        assertThat(status.code()).as(status.err()).isZero();
        assertThat(status.out()).contains("3 live nodes", "node-2", "(other)", "warn: configuration-differs since ");
    }

    @Test
    void anOutageMakesTheViewOutdatedAndAffectsNoCalls() {
        AdminFixture one = start("node-1", "cluster: {announce-interval: 1s, expire-after: 3s}");
        start("node-2", "cluster: {announce-interval: 1s, expire-after: 3s}");
        awaitNames(one, "node-1", "node-2");

        cluster.goOffline();
        await().until(() -> cluster(one).get("outdated").asBoolean());
        one.fail("during the outage");

        assertThat(names(one)).containsExactly("node-1", "node-2");
        assertThat(cluster(one).get("advice").isNull()).isTrue();
        assertThat(one.get("/readyz").statusCode()).isEqualTo(200);
        await().untilAsserted(() ->
                assertThat(cluster(one).at("/problems/0/kind").asString()).isEqualTo("view-outdated"));
        cluster.goOnline();
        await().until(() -> !cluster(one).get("outdated").asBoolean());
        assertThat(names(one)).containsExactly("node-1", "node-2");
    }

    @Test
    void hostileRecordsAreOnlyCounted() {
        // The last invented nodes are counted only when they expire. ClusterViewTest tests that with a clock that it
        // controls.
        AdminFixture one = start("node-1", "cluster: {expire-after: 10m}");
        start("node-2", "cluster: {expire-after: 10m}");
        awaitNames(one, "node-1", "node-2");

        cluster.publish("nonsense".getBytes(StandardCharsets.UTF_8));
        cluster.publish(new byte[1_000]);
        for (int i = 0; i < Candidates.MAX + 500; i++) {
            cluster.publish(AnnouncementCodec.encode(TestAnnouncements.idle("fake-" + i, 1_000 + i)));
        }

        await().until(() -> one.get("/metrics").body().contains("reason=\"unconfirmed\"} 500"));
        assertThat(one.get("/metrics").body()).contains("reason=\"unreadable\"} 2");
        assertThat(names(one)).containsExactly("node-1", "node-2");
    }

    @Test
    void aNodeThatDoesNotAnnounceItselfSaysSo() {
        AdminFixture one = start("node-1", "cluster: {enabled: false}");

        assertThat(cluster(one).get("enabled").asBoolean()).isFalse();
        assertThat(names(one)).isEmpty();
        assertThat(one.get("/metrics").body()).doesNotContain("iocluster_cluster");
    }

    private AdminFixture start(String id, String yaml) {
        AdminFixture node = new AdminFixture("node: {id: " + id + "}\nadmin: {port: 0}\n" + yaml, cluster);
        nodes.add(node);
        return node;
    }

    private static void awaitNames(AdminFixture node, String... names) {
        await().until(() -> names(node).equals(List.of(names)));
    }

    private static List<String> names(AdminFixture node) {
        return cluster(node)
                .get("nodes")
                .valueStream()
                .map(each -> each.get("node").asString())
                .toList();
    }

    private static JsonNode cluster(AdminFixture node) {
        return AdminFixture.json(node.get("/api/cluster"));
    }
}

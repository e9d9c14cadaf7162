package io.iocluster.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.cluster.ClusterSnapshot.LiveNode;
import io.iocluster.node.cluster.ClusterSnapshot.LostNode;
import io.iocluster.node.cluster.NodeAnnouncement.DestinationLoad;
import io.iocluster.node.cluster.NodeAnnouncement.Identity;
import io.iocluster.node.cluster.NodeAnnouncement.NodeProblem;
import io.iocluster.testkit.record.RecordCopy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClusterProblemDetectorTest {

    private static final NodeProblem FAILING = new NodeProblem(
            "destination-failing", false, "partner", "Destination partner fails: 20 %.", "Check the credential.");

    @Test
    void healthyNodesHaveNoProblem() {
        assertThat(detect(node("node-1"), node("node-2"))).isEmpty();
    }

    @Test
    void namesTheNodeThatRunsAnotherConfiguration() {
        List<ClusterProblem> problems =
                detect(node("node-1"), node("node-2"), node("node-3", TestAnnouncements.VERSION, "ffffffffffff"));

        assertThat(problems).singleElement().satisfies(problem -> {
            assertThat(problem.kind()).isEqualTo("configuration-differs");
            assertThat(problem.nodes()).containsExactly("node-3");
            assertThat(problem.text()).isEqualTo("node-3 runs another configuration than the other nodes.");
        });
    }

    @Test
    void comparesConfigurationsOnlyWithinAVersion() {
        List<ClusterProblem> problems = detect(node("node-1"), node("node-2"), node("node-3", "1.1.0", "ffffffffffff"));

        assertThat(problems).extracting(ClusterProblem::kind).containsExactly("version-differs");
        assertThat(problems.get(0).text()).isEqualTo("node-3 runs another version than 1.0.0.");
    }

    @Test
    void ofTwoConfigurationsTheNewerNodeHasTheOtherOne() {
        LiveNode newer = new LiveNode(
                TestAnnouncements.idle(
                        TestAnnouncements.identity("node-1", 1, TestAnnouncements.VERSION, "aaaaaaaaaaaa")),
                0,
                true);
        LiveNode older = new LiveNode(TestAnnouncements.idle("node-2", 9_999), 0, false);

        assertThat(detect(newer, older))
                .singleElement()
                .satisfies(problem -> assertThat(problem.nodes()).containsExactly("node-1"));
    }

    @Test
    void aDestinationThatFailsEverywhereIsUrgent() {
        List<ClusterProblem> problems = detect(node("node-1", FAILING), node("node-2", FAILING));

        assertThat(problems)
                .containsExactly(new ClusterProblem(
                        "destination-failing",
                        true,
                        "partner",
                        List.of("node-1", "node-2"),
                        "On all 2 nodes: Destination partner fails: 20 %.",
                        "Check the credential."));
    }

    @Test
    void aDestinationThatFailsOnOneNodeOnlyPointsToThatNode() {
        DestinationLoad works = new DestinationLoad("partner", 1, 0, 0, 10, 0.0, "closed");
        LiveNode calling = RecordCopy.with(
                node("node-3"),
                "announcement",
                RecordCopy.with(node("node-3").announcement(), "destinations", List.of(works)));

        List<ClusterProblem> problems = detect(node("node-1"), node("node-2", FAILING), calling);

        assertThat(problems).singleElement().satisfies(problem -> {
            assertThat(problem.bad()).isFalse();
            assertThat(problem.text()).startsWith("node-2: Destination partner");
            assertThat(problem.action()).isEqualTo("Check the credential.");
            assertThat(problem.afterItLasted().action())
                    .isEqualTo(
                            "Check the credential. It works on other nodes: compare their network and configuration.");
        });
        // No other node calls it.
        assertThat(detect(node("node-1"), node("node-2", FAILING)))
                .singleElement()
                .satisfies(
                        problem -> assertThat(problem.afterItLasted().action()).isEqualTo("Check the credential."));
    }

    @Test
    void aProblemOfOneNodeExplainsThatOfAnother() {
        NodeProblem expired = new NodeProblem("calls-not-made", true, "partner", "30 calls a second.", "Find out.");

        assertThat(detect(node("node-1", expired), node("node-2", FAILING)))
                .extracting(ClusterProblem::kind)
                .containsExactly("destination-failing");
    }

    @Test
    void namesTheNodeWhoseClockIsOff() {
        LiveNode ahead = RecordCopy.with(node("node-3"), "clockAheadMillis", 300_000L);

        assertThat(detect(node("node-1"), node("node-2"), ahead))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.kind()).isEqualTo("clock-differs");
                    assertThat(problem.bad()).isFalse();
                    assertThat(problem.nodes()).containsExactly("node-3");
                    assertThat(problem.text()).isEqualTo("The clocks of the nodes differ by 300 s: look at node-3.");
                });
        LiveNode little = RecordCopy.with(node("node-3"), "clockAheadMillis", -20_000L);
        assertThat(detect(node("node-1"), node("node-2"), little)).isEmpty();
    }

    @Test
    void callsThatExpireBecauseOfAClockAreNoProblemBesideIt() {
        NodeProblem expired = new NodeProblem("calls-not-made", true, "partner", "30 calls a second.", "Find out.");
        LiveNode behind = RecordCopy.with(node("node-2", expired), "clockAheadMillis", -300_000L);

        assertThat(detect(node("node-1"), behind)).singleElement().satisfies(problem -> {
            assertThat(problem.bad()).isTrue();
            assertThat(problem.nodes()).containsExactly("node-1", "node-2");
            assertThat(problem.text())
                    .isEqualTo(
                            "The clocks of the nodes differ by 300 s: look at node-1, node-2. Calls expire because of"
                                    + " it.");
        });
    }

    @Test
    void aBrokerThatIsAwayIsOneProblem() {
        NodeProblem away = new NodeProblem("broker-unreachable", true, "kafka:9092", "It is away.", "Check it.");
        LiveNode self = RecordCopy.with(node("node-1", away), "self", true);
        ClusterSnapshot cluster =
                new ClusterSnapshot(List.of(self, node("node-2")), true, 14_900, false, List.of(), 0, Map.of());

        assertThat(ClusterProblemDetector.detect(cluster, "no broker answers"))
                .extracting(ClusterProblem::kind)
                .containsExactly("broker-unreachable");
    }

    @Test
    void reportsDuplicateNamesAndLostNodes() {
        ClusterSnapshot cluster = new ClusterSnapshot(
                List.of(node("node-1"), node("node-1")),
                false,
                0,
                false,
                List.of(new LostNode("node-9", Instant.parse("2026-01-02T03:04:05Z"))),
                1,
                Map.of());

        assertThat(ClusterProblemDetector.detect(cluster, null))
                .extracting(ClusterProblem::text)
                .containsExactly(
                        "Node node-9 disappeared without a drain; it was last seen at 2026-01-02T03:04:05Z.",
                        "2 processes have the name node-1.");
    }

    @Test
    void saysThatTheViewIsOutdatedAndWhy() {
        ClusterSnapshot cluster = new ClusterSnapshot(
                List.of(node("node-1"), node("node-2")), true, 14_900, false, List.of(), 0, Map.of());

        assertThat(ClusterProblemDetector.detect(cluster, "no broker answers after 2000 ms."))
                .singleElement()
                .satisfies(problem -> assertThat(problem.text())
                        .isEqualTo(
                                "No announcement has arrived for 14 s: no broker answers after 2000 ms. The other nodes are shown as"
                                        + " they were."));
    }

    @Test
    void saysThatTheOthersDoNotSeeThisNode() {
        ClusterSnapshot cluster =
                new ClusterSnapshot(List.of(node("node-1"), node("node-2")), false, 0, false, List.of(), 0, Map.of());

        assertThat(ClusterProblemDetector.detect(cluster, "write access denied"))
                .extracting(ClusterProblem::text)
                .containsExactly("The other nodes do not see this node: write access denied");
    }

    @Test
    void saysThatItsOwnAnnouncementsDoNotArrive() {
        ClusterSnapshot cluster =
                new ClusterSnapshot(List.of(node("node-1"), node("node-2")), false, 0, true, List.of(), 0, Map.of());

        assertThat(ClusterProblemDetector.detect(cluster, null))
                .extracting(ClusterProblem::text)
                .containsExactly("The other nodes do not see this node: its own announcements do not arrive.");
    }

    private static List<ClusterProblem> detect(LiveNode... nodes) {
        return ClusterProblemDetector.detect(
                new ClusterSnapshot(Stream.of(nodes).toList(), false, 0, false, List.of(), 0, Map.of()), null);
    }

    private static LiveNode node(String name, NodeProblem... problems) {
        return node(TestAnnouncements.identity(name, name.charAt(name.length() - 1)), problems);
    }

    private static LiveNode node(String name, String version, String configuration) {
        return node(TestAnnouncements.identity(name, name.charAt(name.length() - 1), version, configuration));
    }

    private static LiveNode node(Identity identity, NodeProblem... problems) {
        return new LiveNode(TestAnnouncements.idle(identity, problems), 0, false);
    }
}

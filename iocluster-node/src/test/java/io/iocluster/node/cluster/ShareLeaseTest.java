package io.iocluster.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.cluster.SimulatedCluster.SimulatedNode;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Divides a limit of 200 calls a second and 30 in flight among simulated nodes that come and go. */
class ShareLeaseTest {

    private static final Duration SOON = Duration.ofSeconds(5);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final double LIMIT = 200;
    private static final double AT_LEAST = 0.9 * LIMIT;
    private static final double AT_MOST = 1.1 * LIMIT;

    private final SimulatedCluster cluster = new SimulatedCluster();

    @Test
    void theTargetGetsTheWholeRateFromOneToFourToTwoNodes() {
        SimulatedNode one = cluster.start();
        cluster.run(SOON);
        assertThat(cluster.run(LONG)).isBetween(AT_LEAST, LIMIT * 1.01);

        List<SimulatedNode> more = start(3);
        assertThat(cluster.run(SOON)).isGreaterThan(0.5 * LIMIT);
        assertThat(cluster.run(LONG)).isBetween(AT_LEAST, LIMIT * 1.01);

        more.get(0).kill();
        cluster.run(SOON);
        assertThat(cluster.run(LONG)).isBetween(AT_LEAST, LIMIT * 1.01);
        one.drain();
        cluster.run(Duration.ofSeconds(1));
        assertThat(cluster.run(LONG)).isBetween(AT_LEAST, LIMIT * 1.01);

        assertThat(cluster.mostPerSecond()).isLessThanOrEqualTo(AT_MOST);
        assertThat(cluster.mostInFlight()).isLessThanOrEqualTo(SimulatedCluster.MAX_IN_FLIGHT);
        assertThat(cluster.longestExcess()).isLessThan(SOON);
    }

    @Test
    void nodesThatStartTogetherNeverUseTheWholeLimitEach() {
        start(9);
        cluster.run(SOON);

        assertThat(cluster.run(LONG)).isBetween(AT_LEAST, LIMIT * 1.01);
        assertThat(cluster.mostPerSecond()).isLessThanOrEqualTo(AT_MOST);
        assertThat(cluster.mostInFlight()).isLessThanOrEqualTo(SimulatedCluster.MAX_IN_FLIGHT);
    }

    @Test
    void aNodeThatStoodStillDoesNotContinueWithItsOldShare() {
        SimulatedNode one = cluster.start();
        cluster.start();
        cluster.run(LONG);

        one.pause(Duration.ofSeconds(30));
        cluster.run(SOON);
        assertThat(cluster.run(LONG)).isGreaterThan(AT_LEAST);
        cluster.run(LONG);

        assertThat(cluster.run(LONG)).isBetween(AT_LEAST, LIMIT * 1.01);
        assertThat(cluster.mostPerSecond()).isLessThanOrEqualTo(AT_MOST);
    }

    @Test
    void aNodeThatIsCutOffFromTheBrokerStopsUsingItsShare() {
        SimulatedNode one = cluster.start();
        start(3);
        cluster.run(LONG);

        one.cutOff();
        cluster.run(Duration.ofSeconds(8));
        one.setConnected(false);
        cluster.run(Duration.ofSeconds(1));
        assertThat(one.isHolding()).isTrue();
        assertThat(cluster.run(LONG)).isBetween(AT_LEAST, LIMIT * 1.01);
        one.setConnected(true);
        cluster.run(SOON);
        assertThat(one.isHolding()).isFalse();
        assertThat(cluster.run(LONG)).isBetween(AT_LEAST, LIMIT * 1.01);

        assertThat(cluster.longestExcess()).isLessThan(Duration.ofMillis(5_500));
    }

    @Test
    void theNodesKeepTheirSharesWhileOnlyTheAnnouncementsFail() {
        start(2);
        cluster.run(LONG);

        cluster.setChannelDown(true);
        assertThat(cluster.run(LONG)).isBetween(AT_LEAST, LIMIT * 1.01);
        cluster.setChannelDown(false);

        assertThat(cluster.run(LONG)).isBetween(AT_LEAST, LIMIT * 1.01);
        assertThat(cluster.longestExcess()).isZero();
    }

    @Test
    void aNodeThatStartsWhileTheAnnouncementsFailUsesNoShare() {
        start(2);
        cluster.run(LONG);
        cluster.setChannelDown(true);

        SimulatedNode late = cluster.start();
        cluster.run(LONG);
        assertThat(late.isHolding()).isTrue();
        cluster.setChannelDown(false);
        cluster.run(SOON);

        assertThat(late.isHolding()).isFalse();
        assertThat(cluster.mostPerSecond()).isLessThanOrEqualTo(AT_MOST);
    }

    @Test
    void theNodesHoldTheirCallsDuringAnOutageOfTheBroker() {
        List<SimulatedNode> nodes = start(3);
        cluster.run(LONG);

        cluster.setChannelDown(true);
        nodes.forEach(node -> node.setConnected(false));
        cluster.run(SOON);
        assertThat(cluster.run(LONG)).isZero();
        cluster.setChannelDown(false);
        nodes.forEach(node -> node.setConnected(true));
        cluster.run(SOON);

        assertThat(cluster.run(LONG)).isBetween(AT_LEAST, LIMIT * 1.01);
        assertThat(cluster.mostPerSecond()).isLessThanOrEqualTo(AT_MOST);
    }

    @Test
    void aNodeThatAnnouncesItselfMoreRarelyCountsToo() {
        start(2);
        SimulatedNode slow = cluster.start(Duration.ofSeconds(4));
        cluster.run(LONG);

        assertThat(cluster.run(LONG)).isBetween(AT_LEAST, LIMIT * 1.01);
        slow.kill();
        cluster.run(LONG);
        assertThat(cluster.run(LONG)).isBetween(AT_LEAST, LIMIT * 1.01);
        assertThat(cluster.mostPerSecond()).isLessThanOrEqualTo(AT_MOST);
    }

    @Test
    void aNodeThatStartsWhileNodesAreInventedCountsTheOthersAndIsCounted() {
        start(2);
        cluster.run(LONG);

        cluster.inventNodes(200);
        cluster.start();
        cluster.run(SOON);
        cluster.inventNodes(0);

        assertThat(cluster.run(LONG)).isBetween(AT_LEAST, LIMIT * 1.01);
        assertThat(cluster.mostPerSecond()).isLessThanOrEqualTo(AT_MOST);
        assertThat(cluster.longestExcess()).isZero();
    }

    @Test
    void aNodeThatStartsUsesNoShareWhileItMayNotKnowAllNodes() {
        Duration rarely = Duration.ofSeconds(10);
        cluster.start(rarely);
        cluster.run(LONG.multipliedBy(2));

        cluster.inventNodes(200);
        SimulatedNode late = cluster.start(rarely);
        cluster.run(LONG);
        cluster.inventNodes(0);
        cluster.run(LONG);
        assertThat(late.isHolding()).isTrue();
        assertThat(cluster.mostPerSecond()).isLessThanOrEqualTo(AT_MOST);

        cluster.run(LONG.multipliedBy(3));
        assertThat(late.isHolding()).isFalse();
    }

    private List<SimulatedNode> start(int nodes) {
        return Stream.generate(cluster::start).limit(nodes).toList();
    }
}

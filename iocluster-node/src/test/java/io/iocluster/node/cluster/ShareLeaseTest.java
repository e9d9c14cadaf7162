package io.iocluster.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Divides a limit of 200 calls a second and 30 in flight among simulated nodes that come and go. */
class ShareLeaseTest {

    private static final Duration SOON = Duration.ofSeconds(5);

    /** When a node notices that its broker does not answer: it asks every two seconds, and waits for two. */
    private static final Duration NOTICED_AFTER = Duration.ofSeconds(4);

    private static final Duration LONG = Duration.ofSeconds(20);

    /** The time that a record needs, and the interval in which a node looks at what arrived. */
    private static final Duration BRIEFLY = Duration.ofMillis(300);

    private static final double LIMIT = 200;
    private static final double AT_LEAST = 0.9 * LIMIT;
    private static final double AT_MOST = 1.1 * LIMIT;

    private final SimulatedCluster cluster = new SimulatedCluster();

    @Test
    void theTargetGetsTheWholeRateFromOneToFourToTwoNodes() {
        SimulatedNode one = cluster.start();
        cluster.run(SOON);
        assertThat(cluster.run(LONG)).isBetween(AT_LEAST, LIMIT * 1.01);

        cluster.measureLeast();
        List<SimulatedNode> more = start(3);
        cluster.run(SOON);
        assertThat(cluster.run(LONG)).isBetween(AT_LEAST, LIMIT * 1.01);
        assertThat(cluster.leastPerSecond()).as("while three start").isGreaterThanOrEqualTo(AT_LEAST);

        cluster.measureLeast();
        more.get(0).kill();
        cluster.run(SOON);
        assertThat(cluster.run(LONG)).isBetween(AT_LEAST, LIMIT * 1.01);
        assertThat(cluster.leastPerSecond()).as("while one of four is killed").isGreaterThanOrEqualTo(AT_LEAST);

        cluster.measureLeast();
        one.drain();
        cluster.run(Duration.ofSeconds(1));
        assertThat(cluster.run(LONG)).isBetween(AT_LEAST, LIMIT * 1.01);
        assertThat(cluster.leastPerSecond()).as("while one is drained").isGreaterThanOrEqualTo(AT_LEAST);

        assertThat(cluster.mostPerSecond()).isLessThanOrEqualTo(AT_MOST);
        assertThat(cluster.mostInFlight()).isLessThanOrEqualTo(SimulatedCluster.MAX_IN_FLIGHT);
        assertThat(cluster.longestExcess()).isLessThan(BRIEFLY);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 15, 40})
    void theTargetGetsAlmostTheWholeRateWhileThreeNodesStart(int nodesBefore) {
        start(nodesBefore);
        cluster.run(LONG);
        cluster.measureLeast();

        List<SimulatedNode> more = start(3);
        cluster.run(LONG);

        assertThat(more).noneMatch(SimulatedNode::isHolding);
        assertThat(cluster.leastPerSecond()).isGreaterThanOrEqualTo(AT_LEAST);
        assertThat(cluster.mostPerSecond()).isLessThanOrEqualTo(AT_MOST);
        assertThat(cluster.longestExcess()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 600, 900, 1_700})
    void theTargetGetsAlmostTheWholeRateWhileNodesStartOneAfterTheOther(int millisBetween) {
        cluster.divideOnlyTheRate();
        cluster.start();
        cluster.run(LONG);
        cluster.measureLeast();

        for (int i = 0; i < 3; i++) {
            cluster.start();
            cluster.run(Duration.ofMillis(millisBetween));
        }
        cluster.run(LONG);

        assertThat(cluster.leastPerSecond()).isGreaterThanOrEqualTo(0.95 * LIMIT);
        assertThat(cluster.mostPerSecond()).isLessThanOrEqualTo(1.05 * LIMIT);
        assertThat(cluster.longestExcess()).isLessThan(BRIEFLY);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 9, 12, 25, 40})
    void theTargetGetsAlmostTheWholeRateWhileANodeIsKilled(int nodesBefore) {
        List<SimulatedNode> nodes = start(nodesBefore);
        cluster.run(LONG);
        cluster.measureLeast();

        nodes.get(0).kill();
        cluster.run(LONG);

        assertThat(cluster.leastPerSecond()).isGreaterThanOrEqualTo(AT_LEAST);
        assertThat(cluster.mostPerSecond()).isLessThanOrEqualTo(AT_MOST);
        assertThat(cluster.longestExcess()).isLessThan(BRIEFLY);
    }

    @Test
    void theTargetGetsAlmostTheWholeRateWhileAKilledNodeStartsAgain() {
        List<SimulatedNode> nodes = start(4);
        cluster.run(LONG);
        cluster.measureLeast();

        nodes.get(0).kill();
        SimulatedNode again = cluster.restart(nodes.get(0));
        cluster.run(LONG);

        assertThat(again.isHolding()).isFalse();
        assertThat(cluster.leastPerSecond()).isGreaterThanOrEqualTo(AT_LEAST);
        assertThat(cluster.mostPerSecond()).isLessThanOrEqualTo(AT_MOST);
        assertThat(cluster.longestExcess()).isLessThan(BRIEFLY);
    }

    @Test
    void lostRecordsDoNotStopTheCalls() {
        SimulatedNode one = cluster.start();
        cluster.run(LONG);
        cluster.loseRecords(0.1);
        cluster.measureLeast();

        start(3);
        cluster.run(LONG);
        one.kill();
        cluster.run(LONG.multipliedBy(3));

        assertThat(cluster.leastPerSecond()).isGreaterThanOrEqualTo(0.85 * LIMIT);
        assertThat(cluster.mostPerSecond()).isLessThanOrEqualTo(AT_MOST);
        assertThat(cluster.longestExcess()).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void aSlowBrokerDoesNotStopTheCalls() {
        start(4);
        cluster.run(LONG);
        cluster.measureLeast();

        cluster.setMaxDelay(Duration.ofMillis(800));
        cluster.run(LONG.multipliedBy(3));

        assertThat(cluster.leastPerSecond()).isGreaterThanOrEqualTo(AT_LEAST);
        assertThat(cluster.mostPerSecond()).isLessThanOrEqualTo(AT_MOST);
    }

    @Test
    void nodesNeverUseMoreThanTheLimitWhileTheBrokerIsTooSlow() {
        start(4);
        cluster.run(LONG);

        cluster.setMaxDelay(Duration.ofSeconds(4));
        cluster.run(LONG.multipliedBy(3));

        assertThat(cluster.mostPerSecond()).isLessThanOrEqualTo(AT_MOST);
        cluster.setMaxDelay(Duration.ofMillis(150));
        cluster.run(SOON);
        assertThat(cluster.run(LONG)).isBetween(AT_LEAST, LIMIT * 1.01);
    }

    @Test
    void nodesOfAnOlderVersionCountAndAreCounted() {
        SimulatedNode older = cluster.startOlderVersion();
        cluster.startOlderVersion();
        cluster.run(LONG);
        start(2);
        cluster.run(SOON);
        assertThat(cluster.run(LONG)).isBetween(AT_LEAST, LIMIT * 1.01);
        cluster.startOlderVersion();
        cluster.run(SOON);
        assertThat(cluster.run(LONG)).isBetween(AT_LEAST, LIMIT * 1.01);
        older.kill();
        cluster.run(SOON);
        assertThat(cluster.run(LONG)).isBetween(AT_LEAST, LIMIT * 1.01);

        assertThat(cluster.mostPerSecond()).isLessThanOrEqualTo(AT_MOST);
        assertThat(cluster.longestExcess()).isLessThan(BRIEFLY);
    }

    @Test
    void aNodeWithoutSuchLimitsSendsNoHeartbeatsAndCounts() {
        SimulatedNode other = cluster.startWithoutLimits();
        cluster.run(LONG);
        assertThat(cluster.records()).isLessThan(LONG.toSecondsPart() + 4);

        start(2);
        cluster.run(SOON);
        assertThat(cluster.run(LONG))
                .as("the share of the other is not used here")
                .isBetween(AT_LEAST, LIMIT * 1.01);
        other.kill();
        cluster.run(SOON);

        assertThat(cluster.run(LONG)).isBetween(AT_LEAST, LIMIT * 1.01);
        assertThat(cluster.longestExcess()).isLessThan(BRIEFLY);
    }

    @Test
    void manyNodesSendNoMoreRecordsThanTheirAnnouncements() {
        start(50);
        cluster.run(LONG);
        int before = cluster.records();

        cluster.run(LONG);

        assertThat(cluster.records() - before).isLessThanOrEqualTo((int) (50 * 1.1 * LONG.toSeconds()));
        assertThat(cluster.run(LONG)).isBetween(AT_LEAST, LIMIT * 1.01);
    }

    @Test
    void aNodeThatStoodStillForTwoSecondsUsesItsShareAgainAtOnce() {
        List<SimulatedNode> nodes = start(2);
        cluster.run(LONG);

        nodes.get(0).pause(Duration.ofSeconds(2));
        cluster.run(Duration.ofSeconds(3));

        assertThat(nodes.get(0).isHolding()).isFalse();
        cluster.run(LONG);
        assertThat(cluster.mostPerSecond()).isLessThanOrEqualTo(AT_MOST);
        assertThat(cluster.longestExcess()).isLessThan(BRIEFLY);
    }

    @Test
    void aNodeDoesNotTakeRecordsFromTheTimeBeforeItStoodStillForItsClaim() {
        List<SimulatedNode> nodes = start(2);
        cluster.run(LONG);
        cluster.setMaxDelay(Duration.ofMillis(800));
        cluster.run(SOON);

        nodes.get(0).pause(Duration.ofMillis(1_800));
        cluster.run(LONG);

        assertThat(cluster.longestExcess()).isLessThan(Duration.ofSeconds(1));
        assertThat(cluster.mostPerSecond()).isLessThanOrEqualTo(AT_MOST);
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
        cluster.run(NOTICED_AFTER);
        one.setConnected(false);
        cluster.run(Duration.ofSeconds(1));
        assertThat(one.isHolding()).isTrue();
        assertThat(cluster.run(LONG)).isBetween(AT_LEAST, LIMIT * 1.01);
        one.setConnected(true);
        cluster.run(SOON);
        assertThat(one.isHolding()).isFalse();
        assertThat(cluster.run(LONG)).isBetween(AT_LEAST, LIMIT * 1.01);

        assertThat(cluster.longestExcess()).isLessThan(NOTICED_AFTER.minusSeconds(1));
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
    void aNodeThatAnnouncesItselfLessOftenCountsToo() {
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

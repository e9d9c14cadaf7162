package io.iocluster.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.policy.ClusterShare;
import io.iocluster.node.config.ClusterSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ShareMembersTest {

    private static final int SELF = 2;
    private static final long LEASE_MILLIS = 1_500;
    private static final int MAX_NODES = 4;

    private long millis = 10_000;
    private final ShareMembers members = new ShareMembers(
            instance(SELF),
            new ClusterSettings(
                    true, Duration.ofSeconds(1), Duration.ofSeconds(10), MAX_NODES, Duration.ofMillis(LEASE_MILLIS)),
            () -> Duration.ofMillis(millis).toNanos());

    @Test
    void countsANodeFromTheRecordOnThatSaysThatItUsesAShare() {
        receive(1, false);
        receive(1, false);
        assertThat(share()).isEqualTo(ClusterShare.WHOLE);

        receive(1, true);
        assertThat(share()).isEqualTo(new ClusterShare(2, 1));

        receive(1, false);
        assertThat(share()).isEqualTo(ClusterShare.WHOLE);
    }

    @Test
    void doesNotCountANodeThatSentOneRecord() {
        receive(1, true);
        assertThat(share()).isEqualTo(ClusterShare.WHOLE);

        receive(1, true);

        assertThat(share().nodes()).isEqualTo(2);
    }

    @Test
    void countsANodeUntilItsLeaseEndsAndAgainFromItsNextRecordOn() {
        join(1);
        passWithOwnRecords(LEASE_MILLIS);
        assertThat(share().nodes()).isEqualTo(2);

        after(1);
        assertThat(share().nodes()).isOne();

        receive(1, true);
        assertThat(share().nodes()).isEqualTo(2);
    }

    @Test
    void doesNotCountANodeThatHasLeft() {
        join(1);

        members.left(instance(1));

        assertThat(share()).isEqualTo(ClusterShare.WHOLE);
    }

    @Test
    void countsANewProcessOfANodeInsteadOfTheOldOne() {
        members.received(new Heartbeat("node", instance(1), lease(true)));
        members.received(new Heartbeat("node", instance(1), lease(true)));
        members.received(new Heartbeat("node", instance(3), lease(true)));
        members.received(new Heartbeat("node", instance(3), lease(true)));
        assertThat(share()).isEqualTo(new ClusterShare(2, 0));

        members.received(new Heartbeat("node", instance(1), lease(true)));

        assertThat(share()).as("both processes live").isEqualTo(new ClusterShare(3, 1));
    }

    @Test
    void countsAtMostTheConfiguredNumberOfNodes() {
        for (int i = 10; i < 20; i++) {
            join(i);
        }

        assertThat(share().nodes()).isEqualTo(MAX_NODES);
    }

    @Test
    void endsNoLeaseWhileNothingArrives() {
        join(1);

        after(60_000);
        assertThat(heard().silent()).isTrue();
        receiveOwn();

        assertThat(heard().silent()).isFalse();
        assertThat(share().nodes()).isEqualTo(2);
        passWithOwnRecords(LEASE_MILLIS);
        after(1);
        assertThat(share().nodes()).isOne();
    }

    @Test
    void endsNoShorterLeaseThanItsOwnBeforeARecordArrives() {
        long ownLeaseNanos = Duration.ofMinutes(1).toNanos();
        join(1);

        after(20_000);
        assertThat(members.heard(ownLeaseNanos).silent()).isFalse();
        assertThat(members.heard(ownLeaseNanos).share().nodes()).isEqualTo(2);

        receiveOwn();
        assertThat(members.heard(ownLeaseNanos).share().nodes()).isOne();
    }

    @Test
    void measuresItsOwnLeaseFromTheTimeWhenItSentTheRecord() {
        passWithOwnRecords(1_200);
        Heartbeat slow = own(true);
        passWithRecordsOf(1, 900);
        members.received(slow);

        assertThat(heard().ownAgeNanos()).isEqualTo(Duration.ofMillis(900).toNanos());
        assertThat(heard().claimedMillis()).isEqualTo(1_200);
    }

    @Test
    void ignoresARecordOfItsOwnFromTheFutureThatAnotherProgramSent() {
        members.received(new Heartbeat("node-2", instance(SELF), new Lease(LEASE_MILLIS, 99_999, true)));

        assertThat(heard().claimedMillis()).isEqualTo(-1);
    }

    @Test
    void knowsThatNodesMayBeMissingWhileTooManyAreInvented() {
        for (int i = 0; i <= Candidates.MAX; i++) {
            receive(1_000 + i, true);
        }
        assertThat(heard().incomplete()).isTrue();
        assertThat(share()).isEqualTo(ClusterShare.WHOLE);

        after(2_501);
        assertThat(heard().incomplete()).isFalse();
    }

    @Test
    void aNodeCountsThoughNodesAreInventedBetweenItsRecords() {
        receive(1, true);
        for (int i = 0; i < 2_000; i++) {
            receive(1_000 + i, true);
        }
        receive(1, true);

        assertThat(share().nodes()).isEqualTo(2);
        assertThat(heard().incomplete()).isFalse();
    }

    private void join(int number) {
        receive(number, true);
        receive(number, true);
    }

    private void receive(int number, boolean used) {
        members.received(new Heartbeat("node-" + number, instance(number), lease(used)));
    }

    private void receiveOwn() {
        members.received(own(true));
    }

    private Heartbeat own(boolean used) {
        return new Heartbeat("node-" + SELF, instance(SELF), new Lease(LEASE_MILLIS, millis - 10_000, used));
    }

    private static Lease lease(boolean used) {
        return new Lease(LEASE_MILLIS, 0, used);
    }

    private static String instance(int number) {
        return String.format("%016x", number);
    }

    /** Lets time pass in which only this node's records arrive. */
    private void passWithOwnRecords(long time) {
        for (long passed = 0; passed < time; passed += 300) {
            after(300);
            receiveOwn();
        }
    }

    private void passWithRecordsOf(int number, long time) {
        for (long passed = 0; passed < time; passed += 300) {
            after(300);
            receive(number, true);
        }
    }

    private void after(long more) {
        millis += more;
    }

    private ShareMembers.Heard heard() {
        return members.heard(Duration.ofMillis(LEASE_MILLIS).toNanos());
    }

    private ClusterShare share() {
        return heard().share();
    }
}

package io.iocluster.node.cluster;

import io.iocluster.destination.policy.ClusterShare;
import io.iocluster.node.cluster.ShareMembers.Heard;
import io.iocluster.node.config.ClusterSettings;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Decides which share of the limits for the whole cluster this node may use, and what its records say about that. Confined to the member's
 * thread.
 *
 * <p>A share is a lease. This node's own records renew it when they come back from the broker, because the other nodes receive them too. This
 * node measures its lease from the time when it sent a record, and stops before the lease ends. The others measure it from the arrival of the
 * record, which is later. So they never divide a share that is still used, however long a record takes.
 */
public final class ShareLease {

    /** This node stops using its share after this part of its lease. */
    private static final double USED = 0.875;

    /** Renewals in a lease of {@code cluster.share-lease}. */
    private static final int RENEWALS = 6;

    /** With more nodes, each one renews its lease less often, because its share is smaller and all nodes read the records of all. */
    private static final double FEW_NODES = 10;

    /** A lease has at least this many renewals. */
    private static final double MIN_RENEWALS = 3.5;

    /** After this many announcements' intervals, a node that starts has heard all others. */
    private static final double JOIN_INTERVALS = 2.5;

    /** Nodes of an older version count a node from its second announcement on. */
    private static final int ANNOUNCEMENTS_UNTIL_COUNTED = 2;

    /**
     * A node that divides a limit of calls in flight waits this long after its record that it uses a share has come back. The others receive
     * the record in this time, and most of their calls end that exceed their new shares.
     */
    private static final long SETTLE_NANOS = Duration.ofMillis(400).toNanos();

    private final ShareMembers members;
    private final BooleanSupplier dividesLimits;
    private final BooleanSupplier dividesMaxInFlight;
    private final BooleanSupplier brokerConnected;
    private final BooleanSupplier needed;
    private final LongSupplier nanoTime;
    private final long shareLeaseNanos;
    private final long announceNanos;
    private final long joinNanos;
    private State state;
    private long leaseNanos;
    private long renewalNanos;
    private long renewedNanos;
    private long sentNanos;

    private sealed interface State {}

    /**
     * Uses no share, until this node knows all others and has started to read.
     *
     * @param sinceNanos since when this node's announcements arrive
     * @param announcements number of those that arrived before
     */
    private record Waiting(long sinceNanos, int announcements) implements State {}

    /**
     * Says that it uses a share, until such a record comes back.
     *
     * @param before the share that it used before, if only its own records may be missing
     */
    private record Claiming(long sinceNanos, ClusterShare before) implements State {}

    /** Waits until calls of the others have ended. */
    private record Settling(long sinceNanos) implements State {}

    private record Holding(ClusterShare share) implements State {}

    /**
     * Creates a lease without a share.
     *
     * @param dividesLimits whether this node has a limit for the whole cluster
     * @param dividesMaxInFlight whether one of them is a limit of calls in flight
     * @param brokerConnected whether the broker answers this node, apart from the announcements
     * @param needed whether this node has started to read and has not stopped; otherwise, it claims no share
     */
    public ShareLease(
            ShareMembers members,
            ClusterSettings settings,
            BooleanSupplier dividesLimits,
            BooleanSupplier dividesMaxInFlight,
            BooleanSupplier brokerConnected,
            BooleanSupplier needed,
            LongSupplier nanoTime) {
        this.members = members;
        this.dividesLimits = dividesLimits;
        this.dividesMaxInFlight = dividesMaxInFlight;
        this.brokerConnected = brokerConnected;
        this.needed = needed;
        this.nanoTime = nanoTime;
        this.shareLeaseNanos = settings.shareLease().toNanos();
        this.announceNanos = settings.announceInterval().toNanos();
        this.joinNanos = joinNanos(settings);
        this.renewedNanos = nanoTime.getAsLong();
        this.sentNanos = renewedNanos;
        this.state = new Waiting(renewedNanos, 0);
        updateInterval(1);
    }

    static long joinNanos(ClusterSettings settings) {
        return (long) (settings.announceInterval().toNanos() * JOIN_INTERVALS);
    }

    /** Returns the share as of now. Call it several times in an interval of renewals. */
    public ClusterShare renew() {
        long now = nanoTime.getAsLong();
        Heard heard = members.heard(leaseNanos);
        State before = state;
        state = next(heard, now);
        renewedNanos = now;
        updateInterval(heard.live());
        if (state instanceof Claiming && !(before instanceof Claiming)) {
            sentNanos = now - renewalNanos;
        }
        return state instanceof Holding holding ? holding.share() : ClusterShare.UNKNOWN;
    }

    private State next(Heard heard, long now) {
        boolean stalled = now - renewedNanos > USED * leaseNanos;
        boolean late = heard.ownAgeNanos() > USED * Math.min(heard.ownLeaseNanos(), leaseNanos);
        boolean arrives = !stalled && !late && !heard.silent();
        // Then no node can start to use a larger share.
        boolean allAreLost = !stalled && heard.silent() && brokerConnected.getAsBoolean();
        if (state instanceof Holding holding) {
            if (arrives) {
                return new Holding(heard.share());
            }
            boolean onlyLate = !stalled && !heard.silent();
            return allAreLost ? holding : stop(onlyLate ? holding.share() : ClusterShare.UNKNOWN, heard, now);
        } else if (state instanceof Claiming claiming) {
            return claim(claiming, arrives, allAreLost, heard, now);
        } else if (state instanceof Settling settling) {
            if (!arrives) {
                return stop(ClusterShare.UNKNOWN, heard, now);
            }
            return now - settling.sinceNanos() >= SETTLE_NANOS ? new Holding(heard.share()) : settling;
        } else {
            return await((Waiting) state, arrives, heard, now);
        }
    }

    /** Stops using the share. After a short stall, this node still knows all others. */
    private State stop(ClusterShare before, Heard heard, long now) {
        return now - renewedNanos > joinNanos ? new Waiting(now, heard.announcements()) : new Claiming(now, before);
    }

    private State claim(Claiming claiming, boolean arrives, boolean allAreLost, Heard heard, long now) {
        if (allAreLost && claiming.before().isKnown()) {
            return new Holding(claiming.before());
        }
        if (arrives && heard.claimedMillis() >= members.millisAt(claiming.sinceNanos())) {
            return dividesMaxInFlight.getAsBoolean() ? new Settling(now) : new Holding(heard.share());
        }
        boolean expired = now - claiming.sinceNanos() > joinNanos;
        return expired ? new Waiting(now, heard.announcements()) : claiming;
    }

    private State await(Waiting waiting, boolean arrives, Heard heard, long now) {
        int arrived = heard.announcements() - waiting.announcements();
        if (!arrives || heard.incomplete() || arrived == 0) {
            return new Waiting(now, heard.announcements());
        }
        boolean isCountedByAll = arrived >= ANNOUNCEMENTS_UNTIL_COUNTED;
        boolean knowsAll = now - waiting.sinceNanos() >= joinNanos;
        boolean mayClaim = isCountedByAll && knowsAll && needed.getAsBoolean();
        return mayClaim ? new Claiming(now, ClusterShare.UNKNOWN) : waiting;
    }

    private void updateInterval(int liveNodes) {
        double longer = Math.max(1, liveNodes / FEW_NODES);
        renewalNanos = dividesLimits.getAsBoolean()
                ? Math.min(announceNanos, (long) (shareLeaseNanos / RENEWALS * longer))
                : announceNanos;
        leaseNanos = Math.max(shareLeaseNanos, (long) (MIN_RENEWALS * renewalNanos));
    }

    /** Returns whether a record must be sent now to renew the lease. */
    public boolean isRenewalDue() {
        return nanoTime.getAsLong() - sentNanos >= renewalNanos;
    }

    /** Returns the lease for a record that is sent now. */
    public Lease send() {
        sentNanos = nanoTime.getAsLong();
        return new Lease(
                TimeUnit.NANOSECONDS.toMillis(leaseNanos), members.millisAt(sentNanos), !(state instanceof Waiting));
    }
}

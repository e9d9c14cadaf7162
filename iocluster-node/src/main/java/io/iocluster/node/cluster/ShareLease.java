package io.iocluster.node.cluster;

import io.iocluster.destination.policy.ClusterShare;
import io.iocluster.node.cluster.ClusterView.Heard;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Decides which share of the limits for the whole cluster this node may use. Confined to the member's thread.
 *
 * <p>A share is a lease. This node's own announcements renew it when they come back from the broker, because the other nodes then receive
 * them too. A node that starts, or whose announcements stopped, uses no share until every node knows every other one. For that it must have
 * received its own announcements for some intervals. It stops using its share before the others divide it.
 */
final class ShareLease {

    /** After this many intervals, each node has sent two records, and the others count this node. */
    private static final double JOIN_INTERVALS = 2.5;

    private static final int RECORDS_UNTIL_COUNTED = 2;

    private final ClusterView view;
    private final BooleanSupplier brokerConnected;
    private final LongSupplier nanoTime;
    private final long joinNanos;
    private ClusterShare share = ClusterShare.UNKNOWN;
    private long renewedNanos;

    /** Whether this node's announcements arrive, since when, and how many arrived before. */
    private boolean heardOwn;

    private long heardSinceNanos;
    private int recordsBefore;

    /**
     * Creates a lease without a share.
     *
     * @param brokerConnected whether this node reads requests from the broker
     */
    ShareLease(ClusterView view, Duration interval, BooleanSupplier brokerConnected, LongSupplier nanoTime) {
        this.view = view;
        this.joinNanos = (long) (interval.toNanos() * JOIN_INTERVALS);
        this.brokerConnected = brokerConnected;
        this.nanoTime = nanoTime;
        this.renewedNanos = nanoTime.getAsLong();
    }

    /** Returns the share as of now. Call it several times in an interval of announcements. */
    ClusterShare renew() {
        long now = nanoTime.getAsLong();
        boolean stalled = now - renewedNanos > joinNanos;
        renewedNanos = now;
        share = evaluate(view.heard(), stalled, now);
        return share;
    }

    private ClusterShare evaluate(Heard heard, boolean stalled, long now) {
        if (!stalled && heard.announced() && heard.silent() && share.isKnown() && brokerConnected.getAsBoolean()) {
            // The announcements of all nodes fail, so no node can start to use a larger share.
            return share;
        }
        boolean mayMissNodes = !share.isKnown() && heard.incomplete();
        if (stalled
                || !heard.announced()
                || heard.silent()
                || heard.ownRecords() == 0
                || heard.ownLate()
                || mayMissNodes) {
            heardOwn = false;
            recordsBefore = heard.ownRecords();
            return ClusterShare.UNKNOWN;
        }
        if (!heardOwn) {
            heardOwn = true;
            heardSinceNanos = now;
        }
        boolean isCountedByAll = heard.ownRecords() - recordsBefore >= RECORDS_UNTIL_COUNTED;
        boolean knowsAll = now - heardSinceNanos >= joinNanos;
        return share.isKnown() || (isCountedByAll && knowsAll) ? heard.share() : ClusterShare.UNKNOWN;
    }
}

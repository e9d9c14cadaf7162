package io.iocluster.node.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.destination.policy.ClusterShare;
import io.iocluster.node.config.ClusterSettings;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Counts the nodes that use a share of the limits for the whole cluster. Thread-safe; guarded by itself.
 *
 * <p>A node counts from the moment its record says that it uses a share, until it leaves or its lease ends. So all nodes that have received
 * the same records count the same. Leases of other nodes are measured by this node's clock, from the arrival of a record.
 */
public final class ShareMembers {

    /** Without any record for this part of its lease, a node assumes that the records of all nodes are lost. */
    private static final double SILENT = 0.5;

    /** The state of another node. Not thread-safe: its owner holds a lock. */
    private static final class Member {

        private String node;
        private long seenNanos;
        private long leaseNanos;
        private boolean used;

        /** Whether a newer process has the same name, and this one has sent no record since. */
        private boolean replaced;

        void update(Heartbeat record, long now) {
            node = record.node();
            seenNanos = now;
            leaseNanos = TimeUnit.MILLISECONDS.toNanos(record.lease().millis());
            used = record.lease().used();
            replaced = false;
        }
    }

    /**
     * What arrives at the moment. Immutable.
     *
     * @param announcements number of this node's announcements that arrived
     * @param ownAgeNanos time since this node sent the latest of its records that arrived. A time without any record does not count
     * @param ownLeaseNanos the lease in that record
     * @param claimedMillis when this node sent the latest of its records that arrived and say that it uses a share; -1 if there is none
     * @param silent whether no record arrives, not even this node's
     * @param incomplete whether nodes may be missing, because too many instances sent one record
     * @param live number of nodes that send records in time, this one included
     * @param share this node's share if it uses one
     */
    record Heard(
            int announcements,
            long ownAgeNanos,
            long ownLeaseNanos,
            long claimedMillis,
            boolean silent,
            boolean incomplete,
            int live,
            ClusterShare share) {}

    private final String ownInstance;
    private final int maxNodes;
    private final long expireNanos;
    private final long joinNanos;
    private final LongSupplier nanoTime;
    private final long startNanos;

    /** By instance. */
    @GuardedBy("this")
    private final Map<String, Member> others = new HashMap<>();

    @GuardedBy("this")
    private final Candidates candidates = new Candidates();

    @GuardedBy("this")
    private long silenceNanos;

    @GuardedBy("this")
    private long lastRecordNanos;

    /** When records began to arrive again after a silence. */
    @GuardedBy("this")
    private long heardSinceNanos;

    /** When an instance was forgotten whose second record may still arrive. */
    @GuardedBy("this")
    private long forgottenNanos;

    @GuardedBy("this")
    private int ownAnnouncements;

    @GuardedBy("this")
    private long ownSentMillis = -1;

    @GuardedBy("this")
    private long ownLeaseNanos;

    @GuardedBy("this")
    private long claimedMillis = -1;

    public ShareMembers(String ownInstance, ClusterSettings settings, LongSupplier nanoTime) {
        this.ownInstance = ownInstance;
        this.maxNodes = settings.maxNodes();
        this.expireNanos = settings.expireAfter().toNanos();
        this.joinNanos = ShareLease.joinNanos(settings);
        this.nanoTime = nanoTime;
        this.startNanos = nanoTime.getAsLong();
        this.silenceNanos = (long) (SILENT * settings.shareLease().toNanos());
        this.ownLeaseNanos = settings.shareLease().toNanos();
        this.lastRecordNanos = startNanos;
        this.heardSinceNanos = startNanos;
        this.forgottenNanos = startNanos - joinNanos - 1;
    }

    /** Starts to wait for records. The time before this call does not count as silence. */
    public synchronized void start() {
        lastRecordNanos = nanoTime.getAsLong();
        heardSinceNanos = lastRecordNanos;
    }

    /** Returns this time of the monotonic clock as records contain it. */
    long millisAt(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos - startNanos);
    }

    /** Handles what an untrusted announcement says about its node. */
    public synchronized void announced(Heartbeat record) {
        if (record.instance().equals(ownInstance)) {
            ownAnnouncements++;
        }
        received(record);
    }

    /** Handles an untrusted record. */
    public synchronized void received(Heartbeat record) {
        long now = nanoTime.getAsLong();
        recordArrived(now);
        String instance = record.instance();
        Member member = others.get(instance);
        if (instance.equals(ownInstance)) {
            renew(record.lease(), now);
        } else if (member != null) {
            member.update(record, now);
        } else if (candidates.remove(instance)) {
            admit(record, now);
        } else {
            OptionalLong forgotten = candidates.add(instance, now);
            if (forgotten.isPresent() && now - forgotten.getAsLong() <= joinNanos) {
                forgottenNanos = now;
            }
        }
    }

    /** Handles the last record of a node. */
    public synchronized void left(String instance) {
        recordArrived(nanoTime.getAsLong());
        others.remove(instance);
        candidates.remove(instance);
    }

    @GuardedBy("this")
    private void recordArrived(long now) {
        if (now - lastRecordNanos > silenceNanos) {
            heardSinceNanos = now;
        }
        lastRecordNanos = now;
    }

    /** Ignores a record from the future, which this node did not send. */
    @GuardedBy("this")
    private void renew(Lease lease, long now) {
        long sent = lease.sentMillis();
        if (sent > millisAt(now) || sent < ownSentMillis) {
            return;
        }
        ownSentMillis = sent;
        ownLeaseNanos = TimeUnit.MILLISECONDS.toNanos(lease.millis());
        if (lease.used()) {
            claimedMillis = sent;
        }
    }

    @GuardedBy("this")
    private void admit(Heartbeat record, long now) {
        others.values().stream()
                .filter(other -> other.node.equals(record.node()))
                .forEach(other -> other.replaced = true);
        // This node is one of them.
        if (others.size() + 1 >= maxNodes && !others.values().removeIf(other -> other.replaced)) {
            return;
        }
        Member member = new Member();
        member.update(record, now);
        others.put(record.instance(), member);
    }

    /** Returns how long nothing has arrived from a node. A time without any record does not count, because the broker is the cause. */
    @GuardedBy("this")
    private long missing(long seenNanos, long until) {
        return Math.min(until - seenNanos, until - heardSinceNanos);
    }

    /** Returns the same for another node. If its lease ends before a silence is noticed, only a later record shows that it is missing. */
    @GuardedBy("this")
    private long missing(Member other, long now) {
        boolean silenceIsNoticedBefore = silenceNanos <= SILENT * other.leaseNanos;
        return missing(other.seenNanos, silenceIsNoticedBefore ? now : lastRecordNanos);
    }

    /**
     * Returns what arrives at the moment.
     *
     * @param leaseNanos this node's own lease
     */
    synchronized Heard heard(long leaseNanos) {
        long now = nanoTime.getAsLong();
        silenceNanos = (long) (SILENT * leaseNanos);
        removeExpired(now);
        int live = 1;
        int nodes = 1;
        int rank = 0;
        for (Map.Entry<String, Member> each : others.entrySet()) {
            Member other = each.getValue();
            if (!other.replaced && missing(other, now) <= other.leaseNanos) {
                live++;
                nodes += other.used ? 1 : 0;
                rank += other.used && each.getKey().compareTo(ownInstance) < 0 ? 1 : 0;
            }
        }
        return new Heard(
                ownAnnouncements,
                missing(startNanos + TimeUnit.MILLISECONDS.toNanos(ownSentMillis), now),
                ownLeaseNanos,
                claimedMillis,
                now - lastRecordNanos > silenceNanos,
                now - forgottenNanos <= joinNanos,
                live,
                new ClusterShare(nodes, rank));
    }

    /** Keeps a node for a while after its lease, because one record of it is then enough. */
    @GuardedBy("this")
    private void removeExpired(long now) {
        if (now - lastRecordNanos > silenceNanos || now - heardSinceNanos < expireNanos) {
            return;
        }
        candidates.removeUntil(now - expireNanos);
        for (Iterator<Member> each = others.values().iterator(); each.hasNext(); ) {
            Member other = each.next();
            if (missing(other, now) > Math.max(expireNanos, other.leaseNanos)) {
                each.remove();
            }
        }
    }
}

package io.iocluster.node.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.destination.policy.ClusterShare;
import io.iocluster.node.cluster.AnnouncementCodec.Decoded;
import io.iocluster.node.cluster.ClusterSnapshot.LiveNode;
import io.iocluster.node.cluster.ClusterSnapshot.LostNode;
import io.iocluster.node.config.ClusterSettings;
import io.iocluster.transport.cluster.ClusterChannel;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Remembers what the nodes of the cluster announced last. Thread-safe; guarded by itself.
 *
 * <p>Ages are measured by this node's clock, from the arrival of a record. A node is shown from its second record on, so that single
 * invented records show nothing, and until it leaves or announces nothing for {@code cluster.expire-after}. While no announcement
 * arrives at all, not even this node's, the broker is the cause: then no node expires.
 */
final class ClusterView {

    /** A multiple of the interval, well below the expiry, so that an outage is recognised before nodes expire. */
    private static final double SILENT_INTERVALS = 2.5;

    /** After this many intervals without an announcement, a node has no share of limits. It stops using its share one interval earlier. */
    private static final double LATE_INTERVALS = 3.5;

    /** As many as may arrive in three seconds, so that invented records do not push out a node before its second record. */
    static final int MAX_CANDIDATES = 3 * ClusterChannel.MAX_RECORDS_PER_SECOND;

    private static final int MAX_LOST = 20;
    private static final Duration KEEP_LOST = Duration.ofMinutes(10);

    private final String ownInstance;
    private final int maxNodes;
    private final long intervalNanos;
    private final long expireNanos;
    private final long silentNanos;
    private final LongSupplier nanoTime;
    private final InstantSource clock;

    /** By instance. */
    @GuardedBy("this")
    private final Map<String, Entry> others = new LinkedHashMap<>();

    /** The instances that sent one record, oldest first, with the time of its arrival. */
    @GuardedBy("this")
    private final Map<String, Long> candidates = new LinkedHashMap<>();

    @GuardedBy("this")
    private final Deque<LostNode> lost = new ArrayDeque<>();

    @GuardedBy("this")
    private final IgnoredRecords ignored;

    @GuardedBy("this")
    private NodeAnnouncement own;

    @GuardedBy("this")
    private long lastRecordNanos;

    /** When announcements began to arrive again after a silence. */
    @GuardedBy("this")
    private long heardSinceNanos;

    @GuardedBy("this")
    private long ownSeenNanos;

    @GuardedBy("this")
    private int ownRecords;

    @GuardedBy("this")
    private long lostCount;

    /** When an instance was forgotten whose second record may still arrive. */
    @GuardedBy("this")
    private long forgottenNanos;

    /**
     * Which announcements arrive at the moment, as far as it matters for the division of limits. Immutable.
     *
     * @param announced whether this node announces itself
     * @param ownRecords number of this node's records that arrived
     * @param ownLate whether this node's records do not arrive, so that the others may divide its share
     * @param silent whether no announcement arrives, not even this node's
     * @param incomplete whether nodes may be missing, because too many instances sent one record
     * @param share this node's share among those that announce themselves in time
     */
    record Heard(
            boolean announced,
            int ownRecords,
            boolean ownLate,
            boolean silent,
            boolean incomplete,
            ClusterShare share) {}

    /** What is known of another node. Confined to the view's lock. */
    private static final class Entry {

        private NodeAnnouncement announcement;
        private long seenNanos;
        private Instant seen;
        /** Whether a newer process has the same name, and this one has not announced itself since. */
        private boolean replaced;

        void update(NodeAnnouncement latest, long nanos, Instant now) {
            announcement = latest;
            seenNanos = nanos;
            seen = now;
            replaced = false;
        }

        String name() {
            return announcement.id().node();
        }
    }

    ClusterView(String ownInstance, ClusterSettings settings, LongSupplier nanoTime, InstantSource clock) {
        this.ownInstance = ownInstance;
        this.maxNodes = settings.maxNodes();
        this.intervalNanos = settings.announceInterval().toNanos();
        this.expireNanos = settings.expireAfter().toNanos();
        this.silentNanos = (long) (intervalNanos * SILENT_INTERVALS);
        this.nanoTime = nanoTime;
        this.clock = clock;
        this.ignored = new IgnoredRecords(nanoTime);
        this.lastRecordNanos = nanoTime.getAsLong();
        this.heardSinceNanos = lastRecordNanos;
        this.ownSeenNanos = lastRecordNanos;
        this.forgottenNanos = lastRecordNanos - silentNanos - 1;
    }

    /** Starts to wait for announcements. The time before, such as the warm-up of the node, is no silence. */
    synchronized void start() {
        lastRecordNanos = nanoTime.getAsLong();
        heardSinceNanos = lastRecordNanos;
        ownSeenNanos = lastRecordNanos;
    }

    /** Sets what this node announces; null after it has left. */
    synchronized void setOwn(NodeAnnouncement announcement) {
        own = announcement;
    }

    /** Returns how many of this node's records arrived. */
    synchronized int ownRecords() {
        return ownRecords;
    }

    /** Handles an untrusted record. */
    void received(byte[] record) {
        Decoded decoded = AnnouncementCodec.decode(record);
        synchronized (this) {
            if (decoded instanceof Decoded.Announced announced) {
                add(announced.announcement());
            } else if (decoded instanceof Decoded.Ignored other) {
                ignored.add(other.reason());
            }
        }
    }

    @GuardedBy("this")
    private void add(NodeAnnouncement announcement) {
        long now = nanoTime.getAsLong();
        if (now - lastRecordNanos > silentNanos) {
            heardSinceNanos = now;
        }
        lastRecordNanos = now;
        expire(now);
        String instance = announcement.id().instance();
        if (instance.equals(ownInstance)) {
            ownRecords++;
            ownSeenNanos = now;
        } else if (announcement.leaving()) {
            others.remove(instance);
            candidates.remove(instance);
        } else if (others.containsKey(instance)) {
            others.get(instance).update(announcement, now, clock.instant());
        } else if (candidates.remove(instance) == null) {
            addCandidate(instance, now);
        } else {
            admit(announcement, now);
        }
    }

    @GuardedBy("this")
    private void addCandidate(String instance, long now) {
        if (candidates.size() >= MAX_CANDIDATES) {
            Iterator<Long> oldest = candidates.values().iterator();
            if (now - oldest.next() <= silentNanos) {
                forgottenNanos = now;
            }
            oldest.remove();
            ignored.add(IgnoredRecord.UNCONFIRMED);
        }
        candidates.put(instance, now);
    }

    @GuardedBy("this")
    private void admit(NodeAnnouncement announcement, long now) {
        String name = announcement.id().node();
        others.values().stream().filter(other -> other.name().equals(name)).forEach(other -> other.replaced = true);
        // This node is one of them.
        if (others.size() + 1 >= maxNodes && !others.values().removeIf(other -> other.replaced)) {
            ignored.add(IgnoredRecord.TOO_MANY_NODES);
            return;
        }
        lost.removeIf(each -> each.name().equals(name));
        Entry entry = new Entry();
        entry.update(announcement, now, clock.instant());
        others.put(announcement.id().instance(), entry);
    }

    @GuardedBy("this")
    private boolean isSilent(long now) {
        return now - lastRecordNanos > silentNanos;
    }

    @GuardedBy("this")
    private void expire(long now) {
        if (isSilent(now)) {
            return;
        }
        for (Iterator<Entry> each = others.values().iterator(); each.hasNext(); ) {
            Entry entry = each.next();
            if (isExpired(entry.seenNanos, now)) {
                each.remove();
                if (!entry.replaced) {
                    lostCount++;
                    lost.addFirst(new LostNode(entry.name(), entry.seen));
                }
            }
        }
        for (Iterator<Long> oldest = candidates.values().iterator(); oldest.hasNext(); ) {
            if (!isExpired(oldest.next(), now)) {
                break;
            }
            oldest.remove();
            ignored.add(IgnoredRecord.UNCONFIRMED);
        }
        Instant oldest = clock.instant().minus(KEEP_LOST);
        lost.removeIf(each -> each.lastSeen().isBefore(oldest));
        while (lost.size() > MAX_LOST) {
            lost.removeLast();
        }
    }

    @GuardedBy("this")
    private boolean isExpired(long seenNanos, long now) {
        return missing(seenNanos, now) >= expireNanos;
    }

    /** Returns how long nothing has arrived from a node. A time without any announcement does not count, because the cause is the broker. */
    @GuardedBy("this")
    private long missing(long seenNanos, long now) {
        return Math.min(now - seenNanos, now - heardSinceNanos);
    }

    /** Returns which announcements arrive at the moment. */
    synchronized Heard heard() {
        long now = nanoTime.getAsLong();
        int nodes = 1;
        int rank = 0;
        for (Entry other : others.values()) {
            if (!other.replaced && !isLate(other, now)) {
                nodes++;
                rank += other.announcement.id().instance().compareTo(ownInstance) < 0 ? 1 : 0;
            }
        }
        return new Heard(
                own != null,
                ownRecords,
                missing(ownSeenNanos, now) > silentNanos,
                isSilent(now),
                now - forgottenNanos <= silentNanos,
                new ClusterShare(nodes, rank));
    }

    /** Uses the interval of the other node if it is longer than the interval of this one. */
    @GuardedBy("this")
    private boolean isLate(Entry other, long now) {
        long theirNanos = TimeUnit.MILLISECONDS.toNanos(other.announcement.intervalMillis());
        return missing(other.seenNanos, now) > LATE_INTERVALS * Math.max(intervalNanos, theirNanos);
    }

    /** Returns the cluster as of now. */
    synchronized ClusterSnapshot snapshot() {
        long now = nanoTime.getAsLong();
        expire(now);
        List<LiveNode> nodes = new ArrayList<>();
        if (own != null) {
            nodes.add(new LiveNode(own, 0, true));
        }
        others.values().stream()
                .filter(entry -> !entry.replaced)
                .map(entry -> new LiveNode(
                        entry.announcement,
                        Duration.ofNanos(now - entry.seenNanos).toMillis(),
                        false))
                .forEach(nodes::add);
        nodes.sort(Comparator.comparing(LiveNode::name).thenComparing(LiveNode::instance));
        return new ClusterSnapshot(
                nodes,
                isSilent(now),
                Duration.ofNanos(now - lastRecordNanos).toMillis(),
                own != null && !isSilent(now) && isExpired(ownSeenNanos, now),
                List.copyOf(lost),
                lostCount,
                ignored.counts());
    }
}

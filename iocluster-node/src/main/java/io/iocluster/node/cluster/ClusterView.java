package io.iocluster.node.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.node.cluster.ClusterSnapshot.LiveNode;
import io.iocluster.node.cluster.ClusterSnapshot.LostNode;
import io.iocluster.node.config.ClusterSettings;
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

    private static final int MAX_LOST = 20;
    private static final Duration KEEP_LOST = Duration.ofMinutes(10);

    private final String ownInstance;
    private final int maxNodes;
    private final long expireNanos;
    private final long silentNanos;
    private final LongSupplier nanoTime;
    private final InstantSource clock;

    /** By instance. */
    @GuardedBy("this")
    private final Map<String, Entry> others = new LinkedHashMap<>();

    @GuardedBy("this")
    private final Candidates candidates = new Candidates();

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

        /** An older version does not announce its clock. */
        long clockAheadMillis() {
            long clock = announcement.clockMillis();
            return clock == 0 ? 0 : clock - seen.toEpochMilli();
        }

        String name() {
            return announcement.id().node();
        }
    }

    ClusterView(String ownInstance, ClusterSettings settings, LongSupplier nanoTime, InstantSource clock) {
        this.ownInstance = ownInstance;
        this.maxNodes = settings.maxNodes();
        this.expireNanos = settings.expireAfter().toNanos();
        this.silentNanos = (long) (settings.announceInterval().toNanos() * SILENT_INTERVALS);
        this.nanoTime = nanoTime;
        this.clock = clock;
        this.ignored = new IgnoredRecords(nanoTime);
        this.lastRecordNanos = nanoTime.getAsLong();
        this.heardSinceNanos = lastRecordNanos;
        this.ownSeenNanos = lastRecordNanos;
    }

    /** Starts to wait for announcements. The time before this call does not count as silence. */
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

    /** Handles an untrusted record that is not an announcement. */
    synchronized void ignored(IgnoredRecord reason) {
        ignored.add(reason);
    }

    /** Handles an untrusted announcement. */
    synchronized void received(NodeAnnouncement announcement) {
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
        } else if (candidates.remove(instance)) {
            admit(announcement, now);
        } else if (candidates.add(instance, now).isPresent()) {
            ignored.add(IgnoredRecord.UNCONFIRMED);
        }
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
        if (isExpired(heardSinceNanos, now)) {
            for (int i = candidates.removeUntil(now - expireNanos); i > 0; i--) {
                ignored.add(IgnoredRecord.UNCONFIRMED);
            }
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
                        false,
                        entry.clockAheadMillis()))
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

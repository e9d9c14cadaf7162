package io.iocluster.testkit.memory;

import io.iocluster.thread.DaemonThreadFactory;
import io.iocluster.transport.cluster.ClusterChannel;
import io.iocluster.transport.cluster.ClusterChannelStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;

/** An in-memory topic of announcements, which can be made unreachable. Thread-safe. */
public final class MemoryCluster {

    private static final ExecutorService DELIVERY = DaemonThreadFactory.newScheduler("memory-cluster");

    private final List<Channel> channels = new CopyOnWriteArrayList<>();
    private volatile boolean offline;

    /** Returns a channel that is not yet started. */
    public ClusterChannel newChannel() {
        return new Channel();
    }

    /** Delivers a record to all channels, as another program could. */
    public void publish(byte[] record) {
        channels.forEach(channel -> DELIVERY.execute(() -> channel.deliver(record)));
    }

    /** Loses all further records. */
    public void goOffline() {
        offline = true;
    }

    /** Ends {@link #goOffline}. */
    public void goOnline() {
        offline = false;
    }

    private final class Channel implements ClusterChannel {

        private final AtomicLong announced = new AtomicLong();
        private final AtomicLong failed = new AtomicLong();
        private volatile Listener listener;

        @Override
        public void start(Listener receiver) {
            listener = receiver;
            channels.add(this);
        }

        private void deliver(byte[] record) {
            if (channels.contains(this)) {
                listener.received(record);
            }
        }

        @Override
        public void announce(byte[] record) {
            if (offline) {
                failed.incrementAndGet();
            } else {
                announced.incrementAndGet();
                publish(record);
            }
        }

        @Override
        public ClusterChannelStatus status() {
            return new ClusterChannelStatus(offline ? "offline" : null, announced.get(), failed.get(), 0);
        }

        @Override
        public void close(byte[] last, Duration timeout) {
            if (last != null && listener != null) {
                announce(last);
            }
            channels.remove(this);
        }
    }
}

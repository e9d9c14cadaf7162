package io.iocluster.lab.load.agent;

import io.iocluster.thread.DaemonThreadFactory;
import io.iocluster.transport.cluster.ClusterChannel;
import io.iocluster.transport.cluster.ClusterChannelStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;

/** Channels in memory: each record is delivered to all listeners on one thread. Thread-safe. */
final class MemoryChannels implements AutoCloseable {

    private final ScheduledExecutorService thread = DaemonThreadFactory.newScheduler("memory-channel");
    private final List<ClusterChannel.Listener> listeners = new CopyOnWriteArrayList<>();

    MemoryChannel open() {
        return new MemoryChannel();
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }

    /** The channel of one participant. */
    final class MemoryChannel implements ClusterChannel {

        private volatile boolean cut;

        /** Loses all records of this participant, as if it had died. */
        void cut() {
            cut = true;
        }

        /** Ends {@link #cut}. */
        void restore() {
            cut = false;
        }

        @Override
        public void start(Listener listener) {
            listeners.add(listener);
        }

        @Override
        public void announce(byte[] record) {
            if (record.length > MAX_RECORD_BYTES) {
                throw new IllegalArgumentException("the record has " + record.length + " bytes");
            }
            if (!cut) {
                thread.execute(() -> listeners.forEach(listener -> listener.received(record)));
            }
        }

        @Override
        public ClusterChannelStatus status() {
            return new ClusterChannelStatus(null, 0, 0, 0);
        }

        @Override
        public void close(byte[] last, Duration timeout) {
            if (last != null) {
                announce(last);
            }
        }
    }
}

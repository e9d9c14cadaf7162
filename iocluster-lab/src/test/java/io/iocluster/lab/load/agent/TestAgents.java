package io.iocluster.lab.load.agent;

import io.iocluster.lab.load.agent.AgentProcess.AgentWorkFactory;
import io.iocluster.thread.DaemonThreadFactory;
import io.iocluster.transport.cluster.ClusterChannel;
import io.iocluster.transport.cluster.ClusterChannelStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;

/** Agents, and channels in memory: each record is delivered to all listeners on one thread. Thread-safe. */
final class TestAgents implements AutoCloseable {

    private final ScheduledExecutorService thread = DaemonThreadFactory.newScheduler("memory-channel");
    private final List<ClusterChannel.Listener> listeners = new CopyOnWriteArrayList<>();
    private final List<AgentProcess> agents = new CopyOnWriteArrayList<>();
    private final List<CompletableFuture<Long>> failedRuns = new CopyOnWriteArrayList<>();
    private final List<String> lines = new CopyOnWriteArrayList<>();

    /** An agent that serves drivers, and the number of its runs that failed, which is known when it has ended. */
    record StartedAgent(MemoryChannel channel, CompletableFuture<Long> failedRuns) {}

    /** Starts an agent for a number of runs; 0 for unlimited. */
    StartedAgent start(String name, String version, AgentWorkFactory factory, AgentTiming timing, int runs) {
        MemoryChannel channel = open();
        AgentProcess agent =
                new AgentProcess(AgentIdentity.create(name, "host", version), channel, factory, timing, lines::add);
        CompletableFuture<Long> failed = new CompletableFuture<>();
        agents.add(agent);
        failedRuns.add(failed);
        DaemonThreadFactory.newThread("agent-" + name, () -> {
                    try {
                        failed.complete(agent.serve(runs));
                    } catch (InterruptedException | RuntimeException defect) {
                        failed.completeExceptionally(defect);
                    }
                })
                .start();
        return new StartedAgent(channel, failed);
    }

    /** Returns what the agents said. */
    List<String> lines() {
        return lines;
    }

    MemoryChannel open() {
        return new MemoryChannel();
    }

    @Override
    public void close() {
        agents.forEach(AgentProcess::stop);
        failedRuns.forEach(CompletableFuture::join);
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

package io.iocluster.lab.load.agent;

import io.iocluster.lab.load.agent.Messages.AgentState;
import io.iocluster.lab.load.agent.Messages.AgentStep;
import io.iocluster.lab.load.agent.Messages.DriverState;
import io.iocluster.lab.load.agent.Messages.DriverStep;
import io.iocluster.lab.load.agent.Messages.Message;
import io.iocluster.transport.cluster.ClusterChannel;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Coordinates the agents of a run for its driver. Confined to the driver's thread. */
final class AgentGroup implements AutoCloseable {

    private static final int MAX_QUEUED = 10_000;

    /** Leaves room for numbers that become longer. */
    private static final int MAX_PREPARE_BYTES = ClusterChannel.MAX_RECORD_BYTES - (2 << 10);

    private final ClusterChannel channel;
    private final String run;
    private final String version;
    private final AgentTiming timing;
    private final BooleanSupplier cancelled;
    private final BlockingQueue<Received> inbox = new LinkedBlockingQueue<>(MAX_QUEUED);
    private final Map<String, RemoteAgent> agents = new LinkedHashMap<>();
    private DriverStep step = DriverStep.GATHER;
    private String experiment;
    private String stop;
    private long startAtMicros;
    private long sequence;
    private long announcedNanos = System.nanoTime();

    /** A message of an agent and when it came, by both clocks. */
    private record Received(AgentState agent, long atMicros, long nanos) {}

    /** @param version version of the driver, which the agents must have too */
    AgentGroup(ClusterChannel channel, String run, String version, AgentTiming timing, BooleanSupplier cancelled) {
        this.channel = channel;
        this.run = run;
        this.version = version;
        this.timing = timing;
        this.cancelled = cancelled;
    }

    Collection<RemoteAgent> agents() {
        return agents.values();
    }

    /**
     * Waits for free agents.
     *
     * @throws IOException if there are too few in time, or they do not fit together; the message is for the user
     */
    void gather(int wanted) throws IOException, InterruptedException {
        channel.start(this::received);
        exchangeUntil(() -> agents.size() >= wanted || hasDuplicate());
        checkNames();
        if (agents.size() < wanted) {
            String problem = channel.status().problem();
            throw new IOException("only " + agents.size() + " of " + wanted + " agents joined within "
                    + timing.joinTimeout().toSeconds() + " s; start them with `iocluster load agent`"
                    + (problem == null ? "" : "; channel: " + problem));
        }
        List<String> surplus = new ArrayList<>(agents.keySet()).subList(wanted, agents.size());
        agents.keySet().removeAll(List.copyOf(surplus));
        for (RemoteAgent agent : agents.values()) {
            if (!version.equals(agent.state().version())) {
                String other = agent.state().version();
                throw new IOException("agent " + agent.name() + " has "
                        + (other == null ? "an older version" : "version " + other) + ", but the driver has " + version
                        + "; use the same version for all");
            }
        }
    }

    private boolean hasDuplicate() {
        return agents.values().stream().anyMatch(RemoteAgent::isDuplicate);
    }

    private void checkNames() throws IOException {
        for (RemoteAgent agent : agents.values()) {
            if (agent.isDuplicate()) {
                throw new IOException(
                        "two agents are called " + agent.name() + "; start each with its own name: `--name`");
            }
        }
    }

    /**
     * Lets the agents load the experiment and connect, and measures their clocks.
     *
     * @throws IOException if an agent cannot do this, or not in time; the message is for the user
     */
    void prepare(String yaml) throws IOException, InterruptedException {
        step = DriverStep.PREPARE;
        experiment = yaml;
        int bytes = Messages.encode(state()).length;
        if (bytes > MAX_PREPARE_BYTES) {
            throw new IOException("the experiment is too large for agents: their message has " + bytes
                    + " bytes, but may have " + MAX_PREPARE_BYTES + "; put the data into files of feeders");
        }
        long measured = System.nanoTime() + timing.clockSyncTime().toNanos();
        exchangeUntil(() -> hasDuplicate()
                || agents.values().stream().anyMatch(agent -> agent.state().step() == AgentStep.FAILED)
                || (agents.values().stream().allMatch(this::isReady) && System.nanoTime() - measured > 0));
        checkNames();
        for (RemoteAgent agent : agents.values()) {
            if (agent.state().step() == AgentStep.FAILED) {
                throw new IOException(
                        "agent " + agent.name() + ": " + agent.state().problem());
            }
            if (!isReady(agent)) {
                throw new IOException("agent " + agent.name() + " was not ready in time");
            }
        }
        experiment = null;
    }

    private boolean isReady(RemoteAgent agent) {
        return agent.state().step() == AgentStep.READY
                && run.equals(agent.state().run())
                && agent.clock().isKnown();
    }

    /** Starts the run at a time of the driver's wall clock. */
    void start(long atMicros) {
        step = DriverStep.RUN;
        startAtMicros = atMicros;
    }

    /** Lets all agents end the run early. */
    void stop(String reason) {
        if (stop == null) {
            stop = reason;
        }
    }

    /** Announces and listens until the condition is true or {@code joinTimeout} is over. */
    private void exchangeUntil(BooleanSupplier done) throws IOException, InterruptedException {
        long end = System.nanoTime() + timing.joinTimeout().toNanos();
        while (!done.getAsBoolean() && end - System.nanoTime() > 0) {
            exchange(50);
            if (cancelled.getAsBoolean()) {
                throw new IOException("interrupted before the run started");
            }
        }
    }

    /** Announces the state of the driver if that is due, and handles messages for at most this long. */
    void exchange(long millis) throws InterruptedException {
        if (System.nanoTime() - announcedNanos >= timing.announceInterval().toNanos()) {
            announcedNanos = System.nanoTime();
            channel.announce(Messages.encode(state()));
        }
        Received received = inbox.poll(millis, TimeUnit.MILLISECONDS);
        for (; received != null; received = inbox.poll()) {
            take(received);
        }
    }

    private void take(Received received) {
        AgentState state = received.agent;
        boolean free = state.step() == AgentStep.FREE && state.run() == null;
        RemoteAgent agent = step == DriverStep.GATHER && free
                ? agents.computeIfAbsent(state.agent(), RemoteAgent::new)
                : agents.get(state.agent());
        if (agent != null && (free || run.equals(state.run()))) {
            agent.heard(state, received.atMicros, received.nanos);
        }
    }

    private DriverState state() {
        Map<String, Double> offsets = new LinkedHashMap<>();
        Map<String, Integer> parts = new LinkedHashMap<>();
        agents.values().forEach(agent -> {
            offsets.put(agent.name(), agent.clock().micros());
            parts.put(agent.name(), agent.receivedParts());
        });
        return new DriverState(
                run,
                ++sequence,
                Messages.nowMicros(),
                step,
                step == DriverStep.GATHER ? List.of() : List.copyOf(agents.keySet()),
                experiment,
                startAtMicros,
                stop,
                offsets,
                parts);
    }

    /** Called by the channel's thread. */
    private void received(byte[] bytes) {
        Message message = Messages.decode(bytes);
        if (message != null
                && message.agent() != null
                && message.agent().agent() != null
                && message.agent().step() != null) {
            inbox.offer(new Received(message.agent(), Messages.nowMicros(), System.nanoTime()));
        }
    }

    /** Frees the agents and leaves the channel. */
    @Override
    public void close() {
        step = DriverStep.END;
        channel.close(Messages.encode(state()), Duration.ofSeconds(2));
    }
}

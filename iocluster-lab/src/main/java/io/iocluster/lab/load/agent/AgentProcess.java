package io.iocluster.lab.load.agent;

import io.iocluster.lab.load.agent.Messages.AgentState;
import io.iocluster.lab.load.agent.Messages.AgentStep;
import io.iocluster.lab.load.agent.Messages.DriverState;
import io.iocluster.lab.load.agent.Messages.DriverStep;
import io.iocluster.lab.load.agent.Messages.Message;
import io.iocluster.lab.load.result.TimePoint;
import io.iocluster.transport.cluster.ClusterChannel;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * An agent: waits for a driver, runs its share of the calls, and returns the result. {@link #serve} is confined to one thread; {@link
 * #stop} may be called by any thread.
 */
public final class AgentProcess {

    private static final int MAX_QUEUED = 1_000;

    /** A longer text would not fit into a message. */
    private static final int MAX_PROBLEM = 1_000;

    private final AgentIdentity identity;
    private final ClusterChannel channel;
    private final AgentWorkFactory factory;
    private final AgentTiming timing;
    private final Consumer<String> log;
    private final BlockingQueue<Received> inbox = new LinkedBlockingQueue<>(MAX_QUEUED);
    private volatile boolean stopped;
    private AgentStep step = AgentStep.FREE;
    private String run;
    private String problem;
    private AgentWork work;
    private List<String> parts = List.of();
    private Received last;
    private int delivered;
    private long runsEnded;
    private long runsFailed;

    /** A message of a driver and when it came. */
    private record Received(DriverState driver, long nanos) {}

    /** Creates the work of an agent. */
    public interface AgentWorkFactory {

        /**
         * Loads the experiment and connects to the system under test.
         *
         * @param index of the agent among {@code agents}
         * @throws IOException if the experiment is invalid here or the system cannot be reached; the message is for the user
         */
        AgentWork prepare(String experiment, String run, int agents, int index) throws IOException;
    }

    /**
     * Creates an agent on a channel that is not started.
     *
     * @param log receives a line about each run that failed
     */
    public AgentProcess(
            AgentIdentity identity,
            ClusterChannel channel,
            AgentWorkFactory factory,
            AgentTiming timing,
            Consumer<String> log) {
        this.identity = identity;
        this.channel = channel;
        this.factory = factory;
        this.timing = timing;
        this.log = log;
    }

    /**
     * Serves drivers until {@link #stop}, or until a number of runs have ended.
     *
     * @param runs 0 for unlimited
     * @return the number of runs in which this agent did not do its part: it could not prepare it, it failed, or the driver was gone
     */
    public long serve(int runs) throws InterruptedException {
        channel.start(this::received);
        try {
            while (!stopped && (runs == 0 || runsEnded < runs)) {
                Received message = inbox.poll(timing.announceInterval().toMillis(), TimeUnit.MILLISECONDS);
                // All of them, because the driver is not silent if its messages came while an experiment was loaded.
                for (; message != null; message = inbox.poll()) {
                    follow(message);
                }
                check();
                channel.announce(Messages.encode(state()));
            }
        } finally {
            release("stopped");
            channel.close(Messages.encode(state()), Duration.ofSeconds(2));
        }
        return runsFailed;
    }

    /** Ends {@link #serve} soon. */
    public void stop() {
        stopped = true;
    }

    private void received(byte[] bytes) {
        Message message = Messages.decode(bytes);
        if (message != null && message.driver() != null && message.driver().run() != null) {
            inbox.offer(new Received(message.driver(), System.nanoTime()));
        }
    }

    private void follow(Received message) {
        DriverState driver = message.driver();
        if (run == null) {
            last = message;
            if (driver.step() == DriverStep.PREPARE && driver.agents().contains(identity.name())) {
                prepare(driver);
            }
            return;
        }
        if (!driver.run().equals(run)) {
            return;
        }
        last = message;
        if (driver.step() == DriverStep.END) {
            release("the driver ended the run");
            return;
        }
        if (driver.stop() != null && work != null) {
            work.stop(driver.stop());
        }
        if (driver.step() == DriverStep.RUN && step == AgentStep.READY) {
            double offset = driver.offsetsMicros().getOrDefault(identity.name(), 0.0);
            work.start(Math.round(driver.startAtMicros() + offset) - Messages.nowMicros());
            step = AgentStep.RUNNING;
        }
        delivered = driver.received().getOrDefault(identity.name(), 0);
    }

    private void prepare(DriverState driver) {
        run = driver.run();
        delivered = 0;
        parts = List.of();
        problem = null;
        try {
            work = factory.prepare(
                    driver.experiment(),
                    run,
                    driver.agents().size(),
                    driver.agents().indexOf(identity.name()));
            step = AgentStep.READY;
        } catch (IOException | RuntimeException failed) {
            fail(String.valueOf(failed.getMessage()));
        }
    }

    /** Reports to the driver and to the user why this agent cannot do its part. */
    private void fail(String why) {
        step = AgentStep.FAILED;
        problem = why.length() > MAX_PROBLEM ? why.substring(0, MAX_PROBLEM) + "…" : why;
        recordFailure(problem);
    }

    private void recordFailure(String why) {
        runsFailed++;
        log.accept("Run " + run + " failed: " + why);
    }

    /** Checks whether the run has ended or the driver is silent. */
    private void check() {
        if (run == null) {
            return;
        }
        if (System.nanoTime() - last.nanos() > timing.peerTimeout().toNanos()) {
            String reason =
                    "no message from the driver within " + timing.peerTimeout().toSeconds() + " s";
            if (step != AgentStep.FAILED) {
                recordFailure(reason);
            }
            release(reason);
        } else if (step == AgentStep.RUNNING && work.result() != null) {
            parts = ResultParts.split(work.result());
            step = AgentStep.RESULT;
        } else if (step == AgentStep.RUNNING && work.failure() != null) {
            fail(work.failure());
        }
    }

    /** Ends the run, and waits for the next driver. */
    private void release(String reason) {
        if (work != null) {
            work.stop(reason);
            work.close();
            work = null;
        }
        if (run != null) {
            runsEnded++;
        }
        run = null;
        step = AgentStep.FREE;
    }

    private AgentState state() {
        boolean hasPart = delivered < parts.size() && step == AgentStep.RESULT;
        List<TimePoint> points = work == null ? List.of() : work.lastPoints();
        return new AgentState(
                identity.name(),
                identity.instance(),
                identity.version(),
                identity.host(),
                run,
                step,
                problem,
                last == null ? 0 : last.driver().sequence(),
                last == null ? 0 : last.driver().sentAtMicros(),
                last == null ? 0 : TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - last.nanos()),
                Messages.nowMicros(),
                points,
                delivered,
                parts.size(),
                hasPart ? parts.get(delivered) : null);
    }
}

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

/**
 * An agent: waits for a driver, runs its share of the calls, and returns the result. {@link #serve} is confined to one thread; {@link
 * #stop} may be called by any thread.
 */
public final class AgentProcess {

    private static final int MAX_QUEUED = 1_000;

    private final String name;
    private final String host;
    private final ClusterChannel channel;
    private final AgentWorkFactory factory;
    private final AgentTiming timing;
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
     * @param name unique among the agents
     */
    public AgentProcess(
            String name, String host, ClusterChannel channel, AgentWorkFactory factory, AgentTiming timing) {
        this.name = name;
        this.host = host;
        this.channel = channel;
        this.factory = factory;
        this.timing = timing;
    }

    /**
     * Serves drivers until {@link #stop}, or until a number of runs have ended.
     *
     * @param runs 0 for unlimited
     */
    public void serve(int runs) throws InterruptedException {
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
            if (driver.step() == DriverStep.PREPARE && driver.agents().contains(name)) {
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
            double offset = driver.offsetsMicros().getOrDefault(name, 0.0);
            work.start(Math.round(driver.startAtMicros() + offset) - Messages.nowMicros());
            step = AgentStep.RUNNING;
        }
        delivered = driver.received().getOrDefault(name, 0);
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
                    driver.agents().indexOf(name));
            step = AgentStep.READY;
        } catch (IOException | RuntimeException failed) {
            problem = String.valueOf(failed.getMessage());
            step = AgentStep.FAILED;
        }
    }

    /** Checks whether the run has ended or the driver is silent. */
    private void check() {
        if (run == null) {
            return;
        }
        if (System.nanoTime() - last.nanos() > timing.silence().toNanos()) {
            release("no message from the driver within " + timing.silence().toSeconds() + " s");
        } else if (step == AgentStep.RUNNING && work.result() != null) {
            parts = ResultParts.split(work.result());
            step = AgentStep.RESULT;
        } else if (step == AgentStep.RUNNING && work.failure() != null) {
            problem = work.failure();
            step = AgentStep.FAILED;
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
                name,
                host,
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

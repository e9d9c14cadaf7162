package io.iocluster.simulation.cluster;

import io.iocluster.cache.shared.SharedStore;
import io.iocluster.destination.policy.ClusterShare;
import io.iocluster.egress.CurrentEgressPolicy;
import io.iocluster.egress.EgressViolationListener;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.PipelineParts;
import io.iocluster.pipeline.PipelineSettings;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.simulation.network.Network;
import io.iocluster.testkit.simulation.SimulatedEventLoop;
import io.iocluster.testkit.simulation.SimulatedProcess;
import io.iocluster.trace.Tracing;
import io.iocluster.transport.Transport;
import io.iocluster.transport.cluster.ClusterChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One run of a node's program: the real pipeline on a simulated process. Confined to the thread of the simulation. */
public final class SimulatedNode {

    private final SimulatedProcess process;
    private final Transport transport;
    private final Pipeline pipeline;
    private final SimulatedMember member;
    private final Wiring wiring;
    private ClusterShare share = ClusterShare.UNKNOWN;
    private final List<SimulatedEventLoop> loops = new ArrayList<>();
    private static final long NEVER = Long.MAX_VALUE;

    private long drainMillis = NEVER;
    private long pauseMillis = NEVER;
    private boolean drains;
    private boolean left;

    SimulatedNode(
            SimulatedProcess process,
            Transport transport,
            ClusterChannel announcements,
            PipelineSettings settings,
            Network network,
            Wiring wiring,
            ClusterListener listener) {
        this.process = process;
        this.wiring = wiring;
        this.transport = observed(wiring.transport(process, transport), process.name(), listener);
        PipelineParts parts = new PipelineParts(
                new CurrentEgressPolicy(settings.egress(), EgressViolationListener.NONE),
                (loop, http, destinations) -> wiring.executor(process, network.executor(process, loop.next())),
                worker -> newLoop(),
                SharedStore.Factory.NONE);
        this.pipeline = new Pipeline(
                wiring.settings(settings),
                this.transport,
                PipelineEvents.NONE,
                Tracing.OFF,
                parts,
                wiring.platform(process));
        wiring.created(process, pipeline);
        this.member = new SimulatedMember(process.name(), pipeline, process, announcements, next -> {
            share = next;
            listener.shareChanged(this);
        });
    }

    private static Transport observed(Transport transport, String node, ClusterListener listener) {
        return Transport.of(transport.name(), transport.source(), new ObservedSink(transport.sink(), node, listener));
    }

    private SimulatedEventLoop newLoop() {
        SimulatedEventLoop loop = new SimulatedEventLoop(process);
        loops.add(loop);
        return loop;
    }

    void start() {
        process.execute(() -> {
            member.start();
            pipeline.start();
        });
    }

    /** Drains the node as after SIGTERM, then runs the task. */
    void drain(Duration within, Runnable ended) {
        if (!drains) {
            drains = true;
            process.executeUnblocked(() -> {
                drainMillis = process.simulation().millis();
                wiring.drains(this::leave);
                pipeline.drain(within, this::leave);
                member.close();
                ended.run();
            });
        }
    }

    private void leave() {
        left = true;
        member.leave();
    }

    void reconfigure(PipelineSettings settings) {
        process.execute(() -> pipeline.reconfigure(wiring.settings(settings)));
    }

    void pauseReading() {
        pauseMillis = process.simulation().millis();
        process.execute(pipeline::pause);
    }

    void resumeReading() {
        pauseMillis = NEVER;
        process.execute(pipeline::resume);
    }

    /** Ends the event loop of the newest worker, as an error in its thread does. */
    void loseWorker() {
        if (!loops.isEmpty()) {
            loops.get(loops.size() - 1).shutdownGracefully(0, 0, TimeUnit.SECONDS);
        }
    }

    /** Returns whether the node makes calls if it can: it has not been told to stop. */
    public boolean isWorking() {
        return process.isAlive() && !process.isPaused() && !isDraining() && pauseMillis == NEVER;
    }

    /** Returns whether the node was told to read nothing, at least this time ago. */
    public boolean stoppedReading(long millis) {
        long told = Math.min(drainMillis, pauseMillis);
        return told != NEVER && process.simulation().millis() - told > millis && !process.wasPausedSince(told);
    }

    /**
     * Returns the share of the limits that the nodes divide. A node without calls needs none from the moment when it says that it leaves. It
     * notices this itself with its next tick.
     */
    public ClusterShare share() {
        return left && pipeline.status().inFlight() + pipeline.status().waiting() == 0 ? ClusterShare.UNKNOWN : share;
    }

    public boolean isDraining() {
        return drainMillis != NEVER;
    }

    public SimulatedProcess process() {
        return process;
    }

    public String name() {
        return process.name();
    }

    public Transport transport() {
        return transport;
    }

    public Pipeline pipeline() {
        return pipeline;
    }
}

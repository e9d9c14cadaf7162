package io.iocluster.simulation.cluster;

import io.iocluster.cache.shared.SharedStore;
import io.iocluster.egress.CurrentEgressPolicy;
import io.iocluster.egress.EgressSettings;
import io.iocluster.egress.EgressViolationListener;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.PipelineParts;
import io.iocluster.pipeline.PipelineSettings;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.simulation.engine.SimulatedEventLoop;
import io.iocluster.simulation.engine.SimulatedProcess;
import io.iocluster.simulation.network.Network;
import io.iocluster.trace.Tracing;
import io.iocluster.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One run of a node's program: the real pipeline on a simulated process. Confined to the thread of the simulation. */
public final class SimulatedNode {

    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(5);

    private final SimulatedProcess process;
    private final Transport transport;
    private final Pipeline pipeline;
    private final List<SimulatedEventLoop> loops = new ArrayList<>();

    SimulatedNode(SimulatedProcess process, Transport transport, PipelineSettings settings, Network network) {
        this.process = process;
        this.transport = transport;
        this.pipeline = new Pipeline(
                settings,
                transport,
                PipelineEvents.NONE,
                Tracing.OFF,
                new PipelineParts(
                        new CurrentEgressPolicy(EgressSettings.DEFAULTS, EgressViolationListener.NONE),
                        (loop, http, destinations) -> network.executor(process, loop.next()),
                        worker -> newLoop(),
                        SharedStore.Factory.NONE),
                process);
    }

    private SimulatedEventLoop newLoop() {
        SimulatedEventLoop loop = new SimulatedEventLoop(process);
        loops.add(loop);
        return loop;
    }

    void start() {
        process.after(Duration.ZERO, pipeline::start);
    }

    /** Drains the node as after SIGTERM, then runs the task. */
    void drain(Runnable ended) {
        process.after(Duration.ZERO, () -> {
            pipeline.drain(DRAIN_TIMEOUT, () -> {});
            ended.run();
        });
    }

    void reconfigure(PipelineSettings settings) {
        process.after(Duration.ZERO, () -> pipeline.reconfigure(settings));
    }

    /** Ends the event loop of the last worker, as an error in its thread does. */
    void loseWorker() {
        if (!loops.isEmpty()) {
            loops.get(loops.size() - 1).shutdownGracefully(0, 0, TimeUnit.SECONDS);
        }
    }

    public SimulatedProcess process() {
        return process;
    }

    public Transport transport() {
        return transport;
    }

    public Pipeline pipeline() {
        return pipeline;
    }
}

package io.iocluster.simulation.cluster;

import io.iocluster.http.HttpExecutor;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.PipelineSettings;
import io.iocluster.testkit.simulation.SimulatedProcess;
import io.iocluster.thread.Platform;
import io.iocluster.transport.Transport;

/** Wires the parts of a node. A planted defect replaces some of them, or changes the pipeline. */
public interface Wiring {

    /** Replaces nothing. */
    Wiring CORRECT = new Wiring() {};

    /** Returns the platform of the pipeline. */
    default Platform platform(SimulatedProcess process) {
        return process;
    }

    /** Returns the transport of the pipeline. */
    default Transport transport(SimulatedProcess process, Transport correct) {
        return correct;
    }

    /** Returns the HTTP client of a worker. */
    default HttpExecutor executor(SimulatedProcess process, HttpExecutor correct) {
        return correct;
    }

    /** The pipeline of a process is created, and has not started. Does nothing. */
    default void created(SimulatedProcess process, Pipeline pipeline) {}

    /**
     * The node begins to drain. Does nothing.
     *
     * @param leave tells the other nodes that this one leaves, which it does later
     */
    default void drains(Runnable leave) {}

    /** Returns the settings of the pipeline. */
    default PipelineSettings settings(PipelineSettings correct) {
        return correct;
    }
}

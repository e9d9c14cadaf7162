package io.iocluster.simulation.defect;

import io.iocluster.http.HttpExecutor;
import io.iocluster.pipeline.PipelineSettings;
import io.iocluster.simulation.cluster.Wiring;
import io.iocluster.testkit.simulation.Disturbance;
import io.iocluster.testkit.simulation.SimulatedProcess;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.Transport;
import java.util.function.UnaryOperator;

/**
 * Wires a node with one defective part.
 *
 * @param source replaces the source
 * @param sink replaces the sink
 * @param executor replaces the HTTP client of a worker
 * @param settings changes the settings
 * @param disturbance disturbs threads and timers
 */
record DefectiveWiring(
        UnaryOperator<RequestSource> source,
        UnaryOperator<ResponseSink> sink,
        UnaryOperator<HttpExecutor> executor,
        UnaryOperator<PipelineSettings> settings,
        Disturbance disturbance)
        implements Wiring {

    private static final DefectiveWiring CORRECT = new DefectiveWiring(
            UnaryOperator.identity(),
            DefectiveSink::new,
            UnaryOperator.identity(),
            UnaryOperator.identity(),
            Disturbance.NONE);

    static Wiring ofSource(UnaryOperator<RequestSource> source) {
        return new DefectiveWiring(source, CORRECT.sink, CORRECT.executor, CORRECT.settings, Disturbance.NONE);
    }

    static Wiring ofSink(UnaryOperator<ResponseSink> sink) {
        return new DefectiveWiring(CORRECT.source, sink, CORRECT.executor, CORRECT.settings, Disturbance.NONE);
    }

    static Wiring ofExecutor(UnaryOperator<HttpExecutor> executor) {
        return new DefectiveWiring(CORRECT.source, CORRECT.sink, executor, CORRECT.settings, Disturbance.NONE);
    }

    static Wiring ofSettings(UnaryOperator<PipelineSettings> settings) {
        return new DefectiveWiring(CORRECT.source, CORRECT.sink, CORRECT.executor, settings, Disturbance.NONE);
    }

    static Wiring disturbedBy(Disturbance disturbance) {
        return new DefectiveWiring(CORRECT.source, CORRECT.sink, CORRECT.executor, CORRECT.settings, disturbance);
    }

    @Override
    public Transport transport(SimulatedProcess process, Transport correct) {
        process.disturb(disturbance);
        return Transport.of(correct.name(), source.apply(correct.source()), sink.apply(correct.sink()));
    }

    @Override
    public HttpExecutor executor(SimulatedProcess process, HttpExecutor correct) {
        return executor.apply(correct);
    }

    @Override
    public PipelineSettings settings(PipelineSettings correct) {
        return settings.apply(correct);
    }
}

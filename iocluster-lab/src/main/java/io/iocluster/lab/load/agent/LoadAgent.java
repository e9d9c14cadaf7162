package io.iocluster.lab.load.agent;

import io.iocluster.lab.load.experiment.ExperimentFile;
import io.iocluster.lab.load.fault.FaultInjector;
import io.iocluster.lab.load.metric.MetricReader;
import io.iocluster.lab.load.run.LoadRun;
import io.iocluster.lab.load.run.RunParts;
import io.iocluster.lab.load.run.Share;
import io.iocluster.lab.load.schedule.LoadClock;
import io.iocluster.lab.load.target.LoadTarget;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Prepares the share of an agent: its calls only, because the driver handles faults and metrics. Immutable. */
public final class LoadAgent implements AgentProcess.AgentWorkFactory {

    private final String name;
    private final String version;
    private final Path data;
    private final Map<String, String> environment;

    /**
     * Creates the factory.
     *
     * @param data folder of the files that an experiment names
     * @param environment the variables that an experiment refers to
     */
    public LoadAgent(String name, String version, Path data, Map<String, String> environment) {
        this.name = name;
        this.version = version;
        this.data = data;
        this.environment = Map.copyOf(environment);
    }

    @Override
    public AgentWork prepare(String experiment, String run, int agents, int index) throws IOException {
        ExperimentFile file = ExperimentFile.ofDriver(experiment, data, environment);
        AgentWork work = new AgentWork();
        LoadTarget target = LoadTarget.connect(file.experiment().system(), "load-" + name);
        try {
            RunParts parts = new RunParts(
                    run, version, target, FaultInjector.NONE, MetricReader.NONE, List.of(work), LoadClock.SYSTEM);
            work.setRun(new LoadRun(file, parts, new Share(agents, index)), target);
            return work;
        } catch (IOException | RuntimeException invalid) {
            target.close();
            throw invalid;
        }
    }
}

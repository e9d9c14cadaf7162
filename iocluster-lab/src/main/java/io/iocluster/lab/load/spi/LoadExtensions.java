package io.iocluster.lab.load.spi;

import io.iocluster.lab.load.experiment.ExperimentFile;
import io.iocluster.lab.load.result.RunResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Creates what a run needs besides its calls. The {@code load} command passes it to each run. */
public interface LoadExtensions {

    /** Returns the listeners of a run, such as the progress on the terminal. */
    List<RunListener> listeners();

    /** Returns the injector of the experiment's faults. */
    FaultInjector faultInjector(ExperimentFile file);

    /**
     * Returns the reader of the experiment's metrics, which the caller closes. It reads the status of {@code system.nodes}, each
     * entry of {@code metrics}, and the PromQL of the expectations, under its text as the name.
     */
    MetricReader metricReader(ExperimentFile file);

    /**
     * Writes the reports of a result, complete or partial.
     *
     * @param folder exists
     * @return the files that were written
     */
    List<Path> writeReports(RunResult result, ExperimentFile file, Path folder) throws IOException;
}

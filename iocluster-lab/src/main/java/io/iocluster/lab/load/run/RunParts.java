package io.iocluster.lab.load.run;

import io.iocluster.lab.load.fault.FaultInjector;
import io.iocluster.lab.load.metric.MetricReader;
import io.iocluster.lab.load.schedule.LoadClock;
import io.iocluster.lab.load.target.LoadTarget;
import java.util.List;

/**
 * What a run works with. The caller closes target and reader after the run.
 *
 * @param version version of this program
 */
public record RunParts(
        String runId,
        String version,
        LoadTarget target,
        FaultInjector injector,
        MetricReader metrics,
        List<RunListener> listeners,
        LoadClock clock) {

    public RunParts {
        listeners = List.copyOf(listeners);
    }
}

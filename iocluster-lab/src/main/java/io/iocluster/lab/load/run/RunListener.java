package io.iocluster.lab.load.run;

import io.iocluster.lab.load.experiment.Experiment;
import io.iocluster.lab.load.result.FaultMark;
import io.iocluster.lab.load.result.RunResult;
import java.time.Instant;

/** Follows a run. Called by the thread of the run; a method must return quickly and must not throw. */
public interface RunListener {

    /** The run starts. */
    default void started(Experiment experiment, String runId, Instant at) {}

    /** A phase starts. */
    default void phaseStarted(String phase, double seconds) {}

    /** An interval of the run has ended: once a second. */
    default void progress(Progress progress) {}

    /** A fault was started or undone, or that failed. */
    default void fault(FaultMark mark) {}

    /** A message for the user, such as that an agent joined or that the run waits for missing answers. */
    default void message(String text) {}

    /** The run has ended, maybe early. */
    default void ended(RunResult result) {}
}

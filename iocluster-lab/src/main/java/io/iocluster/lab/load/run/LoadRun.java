package io.iocluster.lab.load.run;

import io.iocluster.lab.load.data.CallFactory;
import io.iocluster.lab.load.experiment.Experiment;
import io.iocluster.lab.load.experiment.ExperimentFile;
import io.iocluster.lab.load.experiment.Phase;
import io.iocluster.lab.load.result.Environment;
import io.iocluster.lab.load.result.GeneratorResult;
import io.iocluster.lab.load.result.PhaseResult;
import io.iocluster.lab.load.result.RunResult;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * One run of an experiment in this process. {@link #run} is confined to one thread; {@link #stop} may be called by any thread and
 * ends it early with a partial result.
 */
public final class LoadRun {

    private final Experiment experiment;
    private final RunParts parts;
    private final PhaseRunner phases;
    private final RunMonitor monitor;
    private final RunControl control;

    /**
     * Loads the data of the experiment.
     *
     * @throws IOException if a file of a feeder or a replay is missing or invalid; the message is for the user
     */
    public LoadRun(ExperimentFile file, RunParts parts, Share share) throws IOException {
        this.experiment = file.experiment();
        this.parts = parts;
        this.control = new RunControl();
        CallRecorder recorder = new CallRecorder(parts.target(), parts.clock());
        this.monitor = new RunMonitor(experiment, parts, recorder, control);
        this.phases = new PhaseRunner(
                file,
                share,
                new CallFactory(file, parts.runId(), share.agents(), share.index()),
                recorder,
                monitor,
                control,
                parts.clock());
    }

    /** Ends the run soon: sends nothing more, undoes the faults, and returns a result that is partial for this reason. */
    public void stop(String reason) {
        control.stop(reason);
    }

    /** Returns the fault that is being undone now, for people; null if none is. Never waits. */
    public String undoing() {
        return monitor.undoing();
    }

    /** Runs the experiment now and returns its result, which is partial if the run was stopped. */
    public RunResult run() {
        monitor.readBefore();
        return run(parts.clock().nanoTime());
    }

    /**
     * Runs the experiment and returns its result, which is partial if the run was stopped.
     *
     * @param startNanos when the first phase starts, by the clock
     */
    public RunResult run(long startNanos) {
        Instant startedAt = Instant.now();
        List<PhaseResult> results = new ArrayList<>();
        parts.listeners().forEach(listener -> listener.started(experiment, parts.runId(), startedAt));
        monitor.start(startNanos);
        try {
            for (Phase phase : experiment.phases()) {
                if (control.isStopped()) {
                    break;
                }
                phases.run(phase);
            }
            phases.drain(experiment.drainTimeout());
            results.addAll(phases.results());
            awaitWithin(results);
        } finally {
            monitor.close();
        }
        RunResult result = result(startedAt, results);
        parts.listeners().forEach(listener -> listener.ended(result));
        return result;
    }

    /** Waits for the expectations that may become true some time after their phase. */
    private void awaitWithin(List<PhaseResult> results) {
        if (isPending(results)) {
            monitor.message("Waiting for expectations with \"within\"…");
        }
        while (!control.isStopped() && isPending(results)) {
            monitor.awaitNextSecond();
        }
    }

    private boolean isPending(List<PhaseResult> results) {
        return new ExpectationChecker(results, monitor.metrics(), null)
                .isPending(experiment.parsedExpectations(), monitor.seconds());
    }

    private RunResult result(Instant startedAt, List<PhaseResult> results) {
        return new RunResult(
                parts.runId(),
                experiment.name(),
                experiment.hypothesis(),
                RunResult.describe(experiment),
                experiment.seed(),
                startedAt,
                Instant.now(),
                control.reason(),
                results,
                monitor.series().points(),
                monitor.series().intervalSeconds(),
                monitor.metrics(),
                monitor.faults(),
                new ExpectationChecker(results, monitor.metrics(), phases.searchResult())
                        .check(experiment.parsedExpectations()),
                phases.searchResult(),
                new GeneratorResult(phases.scheduleError(), List.of()),
                Environment.read(parts.version(), parts.metrics().nodeVersions()));
    }
}
